/** `createHandler()`: health, large requests and small bodies of many members. */

import { assert, assertEquals } from "@std/assert";
import { createHandler } from "../routes/mod.ts";
import { assertRefused, call } from "./_client.ts";

Deno.test("GET /healthz answers ok, and 503 while shutting down", async () => {
  const { status, body } = await call("/healthz");
  assertEquals([status, body], [200, { status: "ok" }]);
  const handler = createHandler({ isStopping: () => true });
  assertRefused(
    await call("/healthz", { handler }),
    503,
    "the service is shutting down",
  );
});

Deno.test("work on a large request ends when its client disconnects", async () => {
  const brackets = "[".repeat(2_000) + "]".repeat(2_000);
  // The first one formats, the second one is a large body.
  for (const input of [brackets, " ".repeat(500_000)]) {
    const body = JSON.stringify({ action: "format", input });
    const controller = new AbortController();
    const { signal } = controller;
    const answer = call("/api/json", { method: "POST", body, signal });
    controller.abort();
    assertEquals((await answer).status, 499);
  }
});

Deno.test("a small body may have thousands of members", async () => {
  const unknown = Array.from({ length: 3_000 }, (_, i) => [`k${i}`, 1]);
  const fields = { ...Object.fromEntries(unknown), action: "encode" };
  const body = JSON.stringify({ ...fields, input: "a" });
  assert(body.length > 20_000 && body.length < 32_768);
  const handler = createHandler();
  const answer = await call("/api/base64", {
    method: "POST",
    headers: { "content-length": String(body.length) },
    body,
    // `Deno.serve` vouches for the length.
    handler: (request) => handler(request, { completed: Promise.resolve() }),
  });
  assertEquals(answer.body, { result: "YQ==" });
});

Deno.test("a server may transfer the parts of a large response", async () => {
  const input = Array.from({ length: 60_000 }, (_, i) => i).join(" ");
  const body = JSON.stringify({ action: "encode", input });
  const request = new Request("http://h/api/base64", { method: "POST", body });
  const response = await createHandler()(request);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const { buffer, byteLength } of response.body!) {
    parts.push(new Uint8Array(buffer.transfer(), 0, byteLength));
  }
  assert(parts.length > 1);
  const { result } = await new Response(new Blob(parts)).json();
  assertEquals(atob(result), input);
});
