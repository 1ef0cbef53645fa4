/** `createHandler()`: defaults, options and aborted requests. */

import { assert, assertEquals } from "@std/assert";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { createHandler } from "../routes/mod.ts";
import { assertRefused, call, createTestHandler } from "./_client.ts";

Deno.test("createHandler() without options has the default settings", async () => {
  const { maxBodyBytes } = DEFAULT_SETTINGS;
  const handler = createHandler();
  function send(length: number) {
    const body = "{}".padEnd(length);
    return call("/api/hash", { method: "POST", body, handler });
  }
  assertEquals((await send(maxBodyBytes)).status, 400);
  assertRefused(
    await send(maxBodyBytes + 1),
    413,
    `the body must be at most ${maxBodyBytes} bytes`,
  );
});

Deno.test("GET /healthz answers ok, and 503 while shutting down", async () => {
  const { status, body } = await call("/healthz", { handler: createHandler() });
  assertEquals({ status, body }, { status: 200, body: { status: "ok" } });
  const handler = createTestHandler({ isStopping: () => true });
  assertRefused(
    await call("/healthz", { handler }),
    503,
    "the service is shutting down",
  );
});

Deno.test("work on a large request ends when its client disconnects", async (t) => {
  const brackets = "[".repeat(2_000) + "]".repeat(2_000);
  const rows = [
    ["formatting", JSON.stringify({ action: "format", input: brackets })],
    ["a large body", JSON.stringify({ input: "a".repeat(500_000) })],
  ] as const;
  for (const [name, body] of rows) {
    await t.step(name, async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const answer = call("/api/json", { method: "POST", body, signal });
      controller.abort();
      assertEquals((await answer).status, 499);
    });
  }
});

Deno.test("a body is counted while it is read, whatever its Content-Length", async () => {
  let pulledBytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulledBytes += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  const headers = { "content-length": "5" };
  assertRefused(
    await call("/api/hash", { method: "POST", body, headers }),
    413,
    "the body must be at most 1048576 bytes",
  );
  assert(pulledBytes <= 1_300_000, `${pulledBytes} bytes were read`);
});

Deno.test("large requests are served without ServeInfo.completed", async () => {
  const input = "a".repeat(100_000);
  const request = new Request("http://localhost/api/base64", {
    method: "POST",
    body: JSON.stringify({ action: "encode", input }),
  });
  const response = await createHandler()(request, {});
  assertEquals((await response.json()).result, btoa(input));
});

Deno.test("a small body may have thousands of members", async () => {
  const unknown = Array.from({ length: 3_000 }, (_, i) => [`k${i}`, 1]);
  const fields = { ...Object.fromEntries(unknown), action: "encode" };
  const body = JSON.stringify({ ...fields, input: "a" });
  assert(body.length > 20_000 && body.length < 32_768);
  const request = new Request("http://localhost/api/base64", {
    method: "POST",
    headers: { "content-length": String(body.length) },
    body,
  });
  // The information of `Deno.serve`, which vouches for the length.
  const { promise: completed } = Promise.withResolvers<void>();
  const response = await createHandler()(request, { completed });
  assertEquals(await response.json(), { result: "YQ==" });
});
