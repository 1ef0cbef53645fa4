/** How slow clients may be, to the millisecond: only the tests let time pass. */

import { assertEquals } from "@std/assert";
import { install } from "@sinonjs/fake-timers";
import type { FetchHandler } from "../../routes/mod.ts";
import { createServiceHandler, testBothWays } from "../_thread.ts";

/** The bytes of a second at the lowest rate that clients may have. */
const SECOND_BYTES = 64 * 1024;

/** A clock for the timers of bodies and answers, which `tickAsync()` lets go on. */
function stopTime() {
  const clock = install({
    now: 1_000,
    toFake: [
      "setTimeout",
      "clearTimeout",
      "setInterval",
      "clearInterval",
      "performance",
    ],
  });
  return Object.assign(clock, { [Symbol.dispose]: () => clock.uninstall() });
}

/**
 * Sends a body of 15 pieces of 64 KiB, each some time after the one before. Returns the
 * status of the response, and how many pieces were sent before it.
 */
async function upload(
  handler: FetchHandler,
  intervalMs: number,
): Promise<{ status: number; pieces: number }> {
  using clock = stopTime();
  const text = JSON.stringify({ algorithm: "sha1", input: "a" });
  const json = new TextEncoder().encode(text.padEnd(SECOND_BYTES));
  const spaces = json.slice().fill(0x20);
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  // They fail if the service refuses the body.
  writer.closed.catch(() => {});
  const headers = { host: "h", "content-length": `${15 * SECOND_BYTES}` };
  const init = { method: "POST", headers, body: readable };
  let status: number | undefined;
  const request = new Request("http://h/api/hash", init);
  const answering = handler(request, { completed: Promise.resolve() });
  Promise.resolve(answering).then((response) => status = response.status);
  let pieces = 0;
  while (pieces < 15 && status === undefined) {
    writer.write(pieces === 0 ? json : spaces).catch(() => {});
    pieces += 1;
    if (pieces < 15) await clock.tickAsync(intervalMs);
  }
  await writer.close().catch(() => {});
  // The digest is computed in another thread, for which no time of the clock passes.
  await answering;
  // The service looks for late bodies once more.
  await clock.tickAsync(1_000);
  assertEquals(clock.countTimers(), 0, "no timer is left");
  return { status: status!, pieces };
}

testBothWays("a body may come at 64 KiB/s", async (create) => {
  const answer = await upload(create(), 999);
  assertEquals(answer, { status: 200, pieces: 15 });
});

testBothWays("a slower body gets 408 after bodyTimeoutMs", async (create) => {
  // The eleventh piece would have to come in the eleventh second.
  const answer = await upload(create(), 1_050);
  assertEquals(answer, { status: 408, pieces: 10 });
  const early = await upload(create({ bodyTimeoutMs: 2_000 }), 1_050);
  assertEquals(early, { status: 408, pieces: 2 });
});

/**
 * Reads a result of 1 MB in chunks of 64 KiB, which take a second each at 64 KiB/s, while
 * another request waits for its slot. Returns the number of bytes received.
 */
async function download(intervalMs: number): Promise<number> {
  using clock = stopTime();
  const handler = createServiceHandler();
  const fields = { action: "encode", input: "a".repeat(750_000) };
  const init = {
    method: "POST",
    headers: { host: "h" },
    body: JSON.stringify(fields),
  };
  // The responses aren't completed until they are read, so the last ones wait.
  const { promise: completed } = Promise.withResolvers<void>();
  const pending = Array.from(
    { length: 40 },
    () => handler(new Request("http://h/api/base64", init), { completed }),
  );
  const reader = (await pending[0]!).body!.getReader();
  let bytes = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return bytes;
    bytes += value.byteLength;
    await clock.tickAsync(intervalMs);
  }
}

Deno.test("a client that reads its result at 64 KiB/s gets the whole although others wait", async () => {
  assertEquals(await download(990), 1_000_014);
});

Deno.test("a slower client loses its result to others that wait", async () => {
  assertEquals(await download(2_100), 64 * 1024);
});
