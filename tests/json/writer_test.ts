import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { JsonWriter } from "../../lib/json/writer.ts";

/** What is written, without the quotes that JSON puts around a string. */
function escape(text: string, start = 0, end = text.length): string {
  const output = new JsonWriter();
  output.writeEscaped(text, start, end);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return decoder.decode(output.bytes);
}

function stringify(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

Deno.test("writeEscaped() agrees with JSON.stringify on every code unit", () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    if (escape(character) !== stringify(character)) {
      assertEquals(escape(character), stringify(character), `code ${code}`);
    }
  }
});

Deno.test("writeEscaped() agrees with JSON.stringify on texts of any length", () => {
  const texts = fc.string({ unit: "binary", maxLength: 600 });
  fc.assert(fc.property(texts, (text) => {
    assertEquals(escape(text), stringify(text));
  }));
  for (const character of ["a", '"', "é", "€", "😀", "\ud800"]) {
    for (const length of [255, 256, 257, 1_000]) {
      const text = character.repeat(length);
      assertEquals(escape(text), stringify(text));
    }
  }
});

Deno.test("writeEscaped() writes a part of a text", () => {
  assertEquals(escape('ab"cd"ef', 1, 5), 'b\\"cd');
  assertEquals(escape("abc", 3, 3), "");
});

Deno.test("writeLineBreak() and writeSpace() stand in a JSON string", () => {
  const output = new JsonWriter();
  output.write('"');
  output.writeLineBreak(0);
  output.writeSpace();
  output.writeLineBreak(300);
  output.write('"');
  const text = new TextDecoder().decode(output.bytes);
  assertEquals(JSON.parse(text), `\n \n${" ".repeat(300)}`);
});
