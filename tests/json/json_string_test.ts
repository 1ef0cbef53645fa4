import { assertEquals } from "@std/assert";
import { JsonString } from "../../lib/json/json_string.ts";
import { writeResult } from "../../lib/operation/result.ts";

function createString(notation: string): JsonString {
  const bytes = new TextEncoder().encode(notation);
  const string = new JsonString(bytes.length);
  string.buffer.set(bytes, string.start);
  return string;
}

Deno.test("writeResult() writes the members around a text that is in the notation of JSON", () => {
  const written = createString('é\\"\\n');
  for (
    const result of [
      { a: written },
      { a: written, b: true },
      { "a b": 'x"', c: ["y"], d: written, e: 1, f: "z" },
      { é: "x".repeat(128), a: written, b: "€" },
      { a: written, b: "y".repeat(129) },
    ]
  ) {
    const bytes = writeResult(result) as Uint8Array;
    assertEquals(new TextDecoder().decode(bytes), JSON.stringify(result));
    assertEquals(JSON.stringify(written), '"é\\"\\n"');
  }
});
