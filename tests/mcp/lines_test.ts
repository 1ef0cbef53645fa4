import { assertEquals } from "@std/assert";
import fc from "../_property.ts";
import { readLines } from "../../lib/mcp/lines.ts";

Deno.test("readLines() yields the lines of bytes in any chunks, and undefined for each that is too long", async () => {
  const units = fc.constantFrom("a", "b", "\r", "\n");
  const chunks = fc.array(fc.string({ unit: units, maxLength: 8 }));
  await fc.assert(fc.asyncProperty(
    chunks,
    fc.integer({ min: 1, max: 6 }),
    async (chunks, maxBytes) => {
      const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
      const lines = await Array.fromAsync(
        readLines(ReadableStream.from(bytes), maxBytes),
        (line) => line && new TextDecoder().decode(line),
      );
      const expected = chunks.join("").split("\n");
      // Nothing follows the last line feed.
      if (expected.at(-1) === "") expected.pop();
      assertEquals(
        lines,
        expected.map((line) => line.length > maxBytes ? undefined : line),
      );
    },
  ));
});
