/** `createHandler()`: defaults, options and aborted requests. */

import { assertEquals } from "@std/assert";
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
