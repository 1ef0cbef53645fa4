/** What the handler of all requests owes to its options and to the server, in memory and time. */

import { assertEquals } from "@std/assert";
import { Turns } from "../lib/http/turns.ts";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { createHandler } from "../routes/mod.ts";
import { assertRefused, call, createTestHandler } from "./_client.ts";
import { stopClock } from "./_clock.ts";
import { replace } from "./_replace.ts";

function createRequest(inputLength: number): Request {
  return new Request("http://localhost/api/base64", {
    method: "POST",
    body: JSON.stringify({ action: "encode", input: "a".repeat(inputLength) }),
  });
}

Deno.test("createHandler() has the default settings, and does not stop, unless it is told", async () => {
  const { maxBodyBytes } = DEFAULT_SETTINGS;
  const frameLength = JSON.stringify({ action: "encode", input: "" }).length;
  const handler = createHandler();
  assertEquals((await call("/healthz", { handler })).body, { status: "ok" });
  const largest = createRequest(maxBodyBytes - frameLength);
  assertEquals((await call(largest, { handler })).status, 200);
  const tooLarge = createRequest(maxBodyBytes - frameLength + 1);
  assertRefused(
    await call(tooLarge, { handler }),
    413,
    `the body must be at most ${maxBodyBytes} bytes`,
  );
});

Deno.test("createHandler() lets answers hold what the server does not say has left", async () => {
  // Nobody ever is too slow.
  using _clock = stopClock();
  const handler = createHandler({ threads: 1_000 });
  const answers: Response[] = [];
  const ask = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const answer = await handler(createRequest(780_000), {
      completed: promise,
    });
    answers.push(answer);
    return { status: answer.status, leave: resolve };
  };
  const first = await ask();
  for (let count = 2; count <= 16; count += 1) {
    assertEquals((await ask()).status, 200, `answer ${count}`);
  }
  assertEquals((await ask()).status, 503);
  first.leave();
  assertEquals((await ask()).status, 200);
  await Promise.all(answers.map(({ body }) => body?.cancel()));
});

Deno.test("what needs no turn lets long work rest, and what is large does not", async (t) => {
  const post = (body: string, isLengthKnown: boolean): RequestInit => ({
    method: "POST",
    body,
    headers: isLengthKnown ? { "content-length": String(body.length) } : {},
  });
  const rows = [
    ["a GET", "/api/uuid", {}, 1],
    ["a POST of 32 KiB", "/api/hash", post(" ".repeat(32_768), true), 1],
    [
      "and one that does not say its length",
      "/api/hash",
      post(" ".repeat(32_768), false),
      1,
    ],
    ["a POST of a byte more", "/api/hash", post(" ".repeat(32_769), true), 0],
    [
      "and one that does not say it",
      "/api/hash",
      post(" ".repeat(32_769), false),
      0,
    ],
    ["a POST of 1 MiB", "/api/hash", post(" ".repeat(1_048_576), false), 0],
  ] as const;
  for (const [name, path, init, expected] of rows) {
    await t.step(name, async () => {
      let count = 0;
      using _turns = replace(Turns.prototype, {
        noteSmall: () => void (count += 1),
      });
      await call(path, { ...init, handler: createTestHandler() });
      assertEquals(count, expected);
    });
  }
});

Deno.test("long work ends when its client has gone", async (t) => {
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
