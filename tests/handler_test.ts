/** What the whole handler owes to its options, and to what the server tells it. */

import { assertEquals } from "@std/assert";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { createHandler } from "../routes/mod.ts";
import { assertRefused, call } from "./_client.ts";
import { stopClock } from "./_clock.ts";

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

Deno.test("createHandler() lets answers on their way hold 64 of the largest bodies, at least 64 MiB", async (t) => {
  const rows = [
    // 64 of them fit, neither 65, nor 64 in one MiB less.
    ["64 MiB", { maxBodyBytes: 800_000, inputLength: 783_000 }],
    ["64 bodies", { maxBodyBytes: 1_310_720, inputLength: 975_000 }],
  ] as const;
  for (const [name, { maxBodyBytes, inputLength }] of rows) {
    await t.step(name, async () => {
      // Nobody ever is too slow.
      using _clock = stopClock();
      const handler = createHandler({ maxBodyBytes });
      const answers: Response[] = [];
      const ask = async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const answer = await handler(createRequest(inputLength), {
          completed: promise,
        });
        answers.push(answer);
        return { status: answer.status, leave: resolve };
      };
      const first = await ask();
      for (let count = 2; count <= 64; count += 1) {
        assertEquals((await ask()).status, 200, `answer ${count}`);
      }
      assertEquals((await ask()).status, 503);
      // The server says that one has gone, whatever was read of it.
      first.leave();
      assertEquals((await ask()).status, 200);
      await Promise.all(answers.map(({ body }) => body?.cancel()));
    });
  }
});
