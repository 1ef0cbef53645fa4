/** How large bodies are received: their memory, and their chunks. */

import { assert, assertEquals } from "@std/assert";
import { HttpError } from "../../lib/http_error.ts";
import { call } from "../_client.ts";
import { createExchange } from "../_matrix.ts";
import { replace } from "../_replace.ts";
import { createBody, createLarge, createLoad, MIB } from "./_load.ts";

Deno.test("a body that has come whole is not aborted as slow, however long it waits", async () => {
  const load = createLoad();
  const { bodies } = load;
  const headers = { "content-length": "60000" };
  const body = createBody(load, new Uint8Array(60_000), headers);
  await body.receive();
  const now = performance.now();
  using _clock = replace(performance, { now: () => now + 60_000 });
  const waiting = bodies.reserve(createLarge(), 60_000);
  const { checks } = bodies;
  while (bodies.checks < checks + 2) await new Promise((r) => setTimeout(r, 5));
  assert(bodies.has(body));
  assertEquals(body.join().byteLength, 60_000);
  body.release();
  await waiting;
});

Deno.test("a body with two equal fields Content-Length does not wait for others", async () => {
  const load = createLoad({ bodyBytes: MIB });
  assert(load.bodies.tryReserve(createLarge(), 100));
  const headers = { "content-length": "60000, 60000" };
  const body = createBody(load, new Uint8Array(60_000), headers);
  await body.receive();
  assertEquals(body.join().byteLength, 60_000);
  assertEquals(load.bodies.checks, 0);
  body.release();
});

Deno.test("a body that is aborted between two reads does not wait for memory", async () => {
  const load = createLoad();
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(4_096)),
  }, { highWaterMark: 0 });
  const body = createBody(load, stream, {});
  const received = body.receive().then(() => 200, ({ status }) => status);
  // The reading pauses after 16 chunks.
  while (body.movedBytes < 16 * 4_096) await Promise.resolve();
  body.abort(new HttpError(408, "late"));
  load.bodies.release(body);
  assert(load.bodies.tryReserve(createLarge(), 100_000));
  assertEquals(await received, 408);
  assertEquals(load.bodies.checks, 0);
  body.release();
});

Deno.test("a body is read exactly unless it comes in very many tiny chunks", async () => {
  const lengths = [100, 32_768, 32_769, 245_760, 245_775, 262_160];
  // At the same time, since the service pauses between tiny chunks.
  await Promise.all(lengths.map(async (length) => {
    const { path, bytes, expected } = createExchange(0, length);
    for (const size of [15, 16, 1_000, 32_768, length]) {
      const starts = Array(Math.ceil(length / size)).keys();
      const cut = (i: number) => bytes.slice(size * i, size * i + size);
      const body = size < length
        ? ReadableStream.from(starts.map(cut))
        : new Blob([bytes]).stream();
      const headers = { "content-length": `${size}` }; // Mostly wrong.
      const answer = await call(path, { method: "POST", body, headers });
      if (size === 15 && length > 245_760) assertEquals(answer.status, 400);
      else assertEquals(answer.body, expected);
    }
  }));
});
