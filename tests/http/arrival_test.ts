import { assert, assertEquals } from "@std/assert";
import { Arrival } from "../../lib/http/arrival.ts";

/** The size of the first buffer, in bytes: 32 KiB, and one that shows an end. */
const FIRST = 32_769;

/** A body that stalls until it is written to, and what writes to it. */
function createBody() {
  const { readable, writable } = new TransformStream<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >();
  return { body: readable, writer: writable.getWriter() };
}

Deno.test("an arriving body tells what has come every 64 KiB, whatever its chunks", async () => {
  const { body, writer } = createBody();
  const arrival = new Arrival(body, { expectedBytes: 1_000_000 });
  const first = arrival.readPiece();
  await writer.write(new Uint8Array(FIRST));
  assert(await first);
  assertEquals(arrival.movedBytes, FIRST);
  assert(arrival.isFull);
  arrival.grow(4 * FIRST);
  assert(!arrival.isFull);
  let hasMoved = false;
  const second = arrival.readPiece().finally(() => hasMoved = true);
  for (const bytes of [1, 65_534]) {
    await writer.write(new Uint8Array(bytes));
    await new Promise((resolve) => setTimeout(resolve));
    assert(!hasMoved, "it tells before a piece is whole");
  }
  await writer.write(new Uint8Array(1));
  assert(await second);
  assertEquals(arrival.movedBytes, FIRST + 65_536);
  const last = arrival.readPiece();
  await writer.close();
  assert(!await last);
  assertEquals(arrival.bytes.byteLength, FIRST + 65_536);
});

Deno.test("the buffer of an arriving body grows fourfold, or to a byte more than is expected", async (t) => {
  const rows = [
    ["fourfold", 1_000_000, 4 * FIRST],
    ["to what is expected and a byte", 100_000, 100_001],
    ["by that byte only", FIRST, FIRST + 1],
    ["fourfold where more has come than was expected", FIRST - 1, 4 * FIRST],
  ] as const;
  for (const [name, expectedBytes, capacity] of rows) {
    await t.step(name, async () => {
      const body = ReadableStream.from([new Uint8Array(FIRST)]);
      const arrival = new Arrival(body, { expectedBytes });
      await arrival.readPiece();
      assertEquals(arrival.nextCapacity, capacity);
    });
  }
});

Deno.test("an arriving body is written straight into the buffer where its stream can do that", async () => {
  const sizes: (number | undefined)[] = [];
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      sizes.push(controller.byobRequest?.view?.byteLength);
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const arrival = new Arrival(body, { expectedBytes: 10 });
  assert(!await arrival.readPiece());
  assertEquals(sizes, [FIRST]);
});
