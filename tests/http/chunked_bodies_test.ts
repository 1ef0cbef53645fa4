/** Bodies of unknown length, as streaming clients send them. */

import { assertEquals } from "@std/assert";
import { createTestHandler } from "../_client.ts";

/** Cuts bytes into chunks of one size. */
function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

Deno.test("a chunked body is answered, whatever its length and the size of its chunks", async (t) => {
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(options, createTestHandler());
  const url = `http://127.0.0.1:${server.addr.port}/api/base64`;
  for (const size of [1_000, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536]) {
    await t.step(`chunks of ${size} bytes`, async () => {
      for (const length of [32_767, 32_768, 32_769, 65_537, 131_073, 700_000]) {
        const input = "a".repeat(length - 30);
        const text = JSON.stringify({ action: "encode", input });
        const response = await fetch(url, {
          method: "POST",
          body: ReadableStream.from(cut(new TextEncoder().encode(text), size)),
        });
        const { result } = await response.json();
        assertEquals(result, btoa(input), `${length} bytes`);
      }
    });
  }
  await server.shutdown();
});
