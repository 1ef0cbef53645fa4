/** The lowest permitted transfer rates, in process. */

import { assertEquals } from "@std/assert";
import type { FetchHandler } from "../../routes/mod.ts";
import { createServiceHandler, testBothWays } from "../_thread.ts";
import { stopTime } from "./_clock.ts";

/** Bytes per second at the lowest rate that clients are permitted. */
const SECOND_BYTES = 64 * 1024;

/**
 * Sends a body in 15 equal chunks at an interval. Returns the status of the response, and the
 * number of chunks that were sent before it.
 */
async function upload(
  handler: FetchHandler,
  intervalMs: number,
  chunkBytes = SECOND_BYTES,
): Promise<{ status: number; chunks: number }> {
  using clock = stopTime();
  const text = JSON.stringify({ algorithm: "sha1", input: "a" });
  const json = new TextEncoder().encode(text.padEnd(chunkBytes));
  const spaces = json.slice().fill(0x20);
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  // Fails if the service rejects the body.
  writer.closed.catch(() => {});
  const headers = { host: "h", "content-length": `${15 * chunkBytes}` };
  const init = { method: "POST", headers, body: readable };
  let status: number | undefined;
  const request = new Request("http://h/api/hash", init);
  const pending = handler(request, { completed: Promise.resolve() });
  Promise.resolve(pending).then((response) => status = response.status);
  let chunks = 0;
  while (chunks < 15 && status === undefined) {
    writer.write(chunks === 0 ? json : spaces).catch(() => {});
    chunks += 1;
    if (chunks < 15) await clock.tickAsync(intervalMs);
  }
  await writer.close().catch(() => {});
  // The digest is computed in another thread, regardless of the clock.
  await pending;
  // The service checks for late bodies once more.
  await clock.tickAsync(1_000);
  assertEquals(clock.countTimers(), 0, "no timer is left");
  return { status: status!, chunks };
}

testBothWays("a body can arrive at 64 KiB/s", async (create) => {
  const result = await upload(create(), 999);
  assertEquals(result, { status: 200, chunks: 15 });
  const early = create({ bodyTimeoutMs: 500 });
  assertEquals(await upload(early, 62, SECOND_BYTES / 16), result);
});

testBothWays("a slower body gets 408 after bodyTimeoutMs", async (create) => {
  // The eleventh chunk would have to arrive within 11 seconds.
  const result = await upload(create(), 1_050);
  assertEquals(result, { status: 408, chunks: 10 });
  const early = await upload(create({ bodyTimeoutMs: 2_000 }), 1_050);
  assertEquals(early, { status: 408, chunks: 2 });
});

/**
 * Reads a result of 1 MB in chunks of 64 KiB at an interval, while another request waits for
 * its slot. Returns the number of bytes received.
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

Deno.test("a client that reads its result at 64 KiB/s gets all of it even while other clients wait", async () => {
  assertEquals(await download(990), 1_000_014);
});

Deno.test("a slower client loses its result while other clients wait", async () => {
  assertEquals(await download(2_100), 64 * 1024);
});
