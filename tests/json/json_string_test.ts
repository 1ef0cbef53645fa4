import { assertEquals, assertThrows } from "@std/assert";
import { JsonString } from "../../lib/json/json_string.ts";
import { writeResult } from "../../lib/operation/result.ts";

function createString(notation: string): JsonString {
  const bytes = new TextEncoder().encode(notation);
  const string = new JsonString(bytes.length);
  string.content.set(bytes);
  return string;
}

Deno.test("writeResult() writes the members around a text that is in the notation of JSON", () => {
  const written = createString('é\\"\\n');
  for (
    const result of [
      { a: written },
      { a: written, b: true },
      { "a b": 'x"', c: ["y"], d: written, e: 1, f: "z" },
    ]
  ) {
    const bytes = writeResult(result) as Uint8Array;
    assertEquals(new TextDecoder().decode(bytes), JSON.stringify(result));
    assertEquals(JSON.stringify(written), '"é\\"\\n"');
  }
});

Deno.test("surround() rejects parts that do not fit", () => {
  const string = createString("a");
  assertEquals(string.surround("x".repeat(128), "y".repeat(128)).length, 259);
  assertThrows(() => string.surround("x".repeat(129), ""), RangeError);
  assertThrows(() => string.surround("", "y".repeat(129)), RangeError);
  assertThrows(() => string.surround("é", ""), RangeError);
});
