/** Results in the place of their stand-ins, piece by piece. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { answerWritten, type Delivery } from "../../lib/http/answer.ts";
import { Memory } from "../../lib/http/memory.ts";
import { Turns } from "../../lib/http/turns.ts";
import { PAGE_BYTES } from "../../lib/json/writer.ts";
import { LargeResult } from "../../lib/mcp/large.ts";

/** How much is written at a time, in UTF-16 code units. */
const PIECE_LENGTH = 4_096;

function createResult(text: string): LargeResult {
  return new LargeResult(text, new TextEncoder().encode(text));
}

/** Answers with a result as the official package would place it. */
function answer(
  text: string,
  delivery: Delivery = { memory: new Memory(Infinity), turns: new Turns() },
): Promise<Response> {
  const result = createResult(text);
  const message = JSON.stringify({ id: 1, result: result.standIn });
  return result.answer(message, delivery);
}

Deno.test("a result stands as a text and as a value where its stand-in stood, whatever is in it", async (t) => {
  const start = '{"result":"';
  const rows = [
    ["{}", "{}"],
    ["what must be escaped", JSON.stringify({ result: '"\\\u0000\n' })],
    // Where a piece ends, no pair may be cut.
    ..."\u{10000} \u{103ff} \u{10fc00} \u{10ffff} \ud7ff\u{10000} \u{10000}\u{10000} \u{10ffff}\u{10fc00} \ue000\u{10000}"
      .split(" ").flatMap((characters) =>
        [0, 1, 2, 3, 4].map((before) => [
          `${before} before the end of a piece, ${characters}`,
          `${start}${
            "x".repeat(PIECE_LENGTH - start.length - before)
          }${characters}"}`,
        ])
      ),
  ] as const;
  for (const [name, text] of rows) {
    await t.step(name!, async () => {
      const response = await answer(text!);
      assertEquals(response.headers.get("content-type"), "application/json");
      assertEquals(
        await response.text(),
        `{"id":1,"result":{"content":[{"type":"text","text":${
          JSON.stringify(text)
        }}],"structuredContent":${text}}}`,
      );
    });
  }
});

Deno.test("no two results have the same stand-in, which nobody can foresee", () => {
  const [first, second] = [createResult("{}"), createResult("{}")];
  assertNotEquals(first.standIn, second.standIn);
  assertEquals(first.standIn, first.standIn);
});

Deno.test("a large result departs in pages, none of which has grown", async () => {
  const text = JSON.stringify({ result: "é".repeat(200_000) });
  const { body } = await answer(text);
  const lengths: number[] = [];
  for await (const { byteLength } of body!) lengths.push(byteLength);
  const [last, ...others] = lengths.reverse();
  assert(others.length > 10 && last! <= PAGE_BYTES);
  for (const length of others) {
    assert(PAGE_BYTES / 2 < length && length <= PAGE_BYTES, `${length} bytes`);
  }
});

/** The most that an answer holds at a time, in bytes. */
async function measure(
  run: (delivery: Delivery) => Promise<Response>,
): Promise<number> {
  const memory = new Memory(Infinity);
  let mostBytes = 0;
  const { hold } = memory;
  memory.hold = (transfer, bytes) => {
    mostBytes = Math.max(mostBytes, bytes);
    return hold.call(memory, transfer, bytes);
  };
  const { body } = await run({ memory, turns: new Turns() });
  await body!.cancel();
  return mostBytes;
}

Deno.test("a result counts as the memory that its text takes: a byte a character, or two where one is not ASCII", async (t) => {
  const length = 1_500_000;
  const rows = [
    ["ASCII", `"${"x".repeat(length - 2)}"`, length],
    ["not all ASCII", `"${"x".repeat(length - 3)}é"`, 2 * length],
  ] as const;
  for (const [name, text, sourceBytes] of rows) {
    await t.step(name, async () => {
      const expected = await measure((delivery) =>
        answerWritten(function* (output) {
          // As long as the answer, which is written more than once.
          for (let i = 0; i < 2 * length; i += 32_768) {
            output.write(" ".repeat(32_768));
            if (output.isFull) yield;
          }
        }, { sourceBytes, delivery })
      );
      const actual = await measure((delivery) => answer(text, delivery));
      // Both hold their source and as many pages, one of them more or less.
      assert(Math.abs(actual - expected) <= PAGE_BYTES, `${actual} bytes`);
    });
  }
});
