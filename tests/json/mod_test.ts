/** The export `./json`. */

import { assertEquals, assertThrows } from "@std/assert";
import fc from "../_property.ts";
import {
  findJsonError,
  formatJson,
  JsonSizeError,
  JsonTextError,
  minifyJson,
} from "../../lib/json/mod.ts";

Deno.test("formatJson() and minifyJson() agree with JSON.stringify() if that is lossless", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, n) => {
      const text = JSON.stringify(value);
      const laidOut = JSON.stringify(value, null, n);
      assertEquals(formatJson(text, { indent: n }), laidOut);
      assertEquals(minifyJson(laidOut), text);
    }),
  );
});

Deno.test("formatJson() and minifyJson() change nothing but white space between tokens", async (t) => {
  const rows = [
    ["numbers", "[1.0,-0,1e400,12345678901234567890]"],
    ["escapes", '["\\u0041\\/\\ud800"]'],
    ["a lone surrogate", '["\ud800"]'],
    ["a long string of byte order marks", `"${"\ufeff".repeat(100_000)}"`],
    ["names", '{"b":1,"2":2,"1":3,"b":4,"__proto__":5}'],
    ["deep nesting", "[".repeat(2_000) + "]".repeat(2_000)],
  ] as const;
  for (const [name, text] of rows) {
    await t.step(name, () => {
      assertEquals(minifyJson(formatJson(text)), text);
      assertEquals(minifyJson(` ${text}\n`), text);
    });
  }
});

Deno.test("formatJson() indents by two spaces unless told otherwise", () => {
  assertEquals(formatJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  assertEquals(formatJson("[1]", { indent: 1 }), "[\n 1\n]");
  for (const indent of [0, -1, 1.5, NaN, Infinity]) {
    assertThrows(
      () => formatJson("[]", { indent }),
      RangeError,
      "indent must be",
    );
  }
});

Deno.test("formatJson() works where buffers cannot be transferred, as in Node 20", () => {
  const value = Array.from({ length: 20_000 }, (_, i) => `é ${i}`);
  const { transfer } = ArrayBuffer.prototype;
  Reflect.deleteProperty(ArrayBuffer.prototype, "transfer");
  try {
    assertEquals(
      formatJson(JSON.stringify(value)),
      JSON.stringify(value, null, 2),
    );
  } finally {
    Object.assign(ArrayBuffer.prototype, { transfer });
  }
});

Deno.test("formatJson() builds no result that is larger than allowed", () => {
  assertEquals(formatJson('["é"]', { maxBytes: 10 }), '[\n  "é"\n]');
  assertThrows(
    () => formatJson('["é"]', { maxBytes: 9 }),
    JsonSizeError,
    "the result would exceed 9 bytes",
  );
});

Deno.test("formatJson(), minifyJson() and findJsonError() give the position of the error", () => {
  const text = '{"😀":\r\n "é😀" "b"}';
  const message = 'expected "," or "}", got "\\"" at line 2, column 7';
  assertEquals(findJsonError(text), message);
  for (const rewrite of [formatJson, minifyJson]) {
    const { name, line, column, offset, ...error } = assertThrows(
      () => rewrite(text),
      JsonTextError,
      message,
    );
    assertEquals({ name, line, column, offset, error }, {
      name: "JsonTextError",
      line: 2,
      column: 7,
      offset: text.indexOf('"b"'),
      error: {},
    });
  }
  assertEquals(findJsonError("[1]"), undefined);
});
