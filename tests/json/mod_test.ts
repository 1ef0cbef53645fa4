/** The export `./json`, which every form of the operation uses. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc, {
  ALL_VALID,
  anyText,
  mutatedTexts,
  plainValues,
  spacedTexts,
  times,
} from "../_random.ts";
import {
  findJsonError,
  formatJson,
  JsonSizeError,
  JsonTextError,
  minifyJson,
} from "../../lib/json/mod.ts";
import { INVALID, VALID, VALID_BY_DECISION } from "./_texts.ts";

/** Whether `JSON.parse()` accepts the text. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

Deno.test("formatJson() and minifyJson() agree with JSON.stringify() on JSON that survives a double", () => {
  const indents = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(spacedTexts, indents, (text, indent) => {
      const value = JSON.parse(text);
      const formatted = JSON.stringify(value, null, indent);
      const minified = JSON.stringify(value);
      assertEquals(formatJson(text, { indent }), formatted);
      assertEquals(formatJson(formatted, { indent }), formatted);
      assertEquals(minifyJson(text), minified);
      assertEquals(minifyJson(formatted), minified);
    }),
    { numRuns: times(400) },
  );
});

Deno.test("formatJson() and minifyJson() replace any white space between tokens", () => {
  const gaps = fc.array(
    fc.string({ unit: fc.constantFrom(..." \t\n\r"), maxLength: 9 }),
    { minLength: 1, maxLength: 40, size: "max" },
  );
  fc.assert(
    fc.property(plainValues, gaps, (value, gaps) => {
      const minified = JSON.stringify(value);
      const tokens =
        minified.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^{}[\],:"]+/g) ?? [];
      const spaced = tokens
        .map((token, i) => gaps[i % gaps.length] + token).join("") +
        gaps.at(-1);
      assertEquals(formatJson(spaced), JSON.stringify(value, null, 2));
      assertEquals(minifyJson(spaced), minified);
    }),
    { numRuns: times(400) },
  );
});

Deno.test("formatJson() and minifyJson() change white space only", async (t) => {
  const rows = [
    [
      "numbers",
      "[1.0,1e400,12345678901234567890,-0,1E+05]",
      "[\n  1.0,\n  1e400,\n  12345678901234567890,\n  -0,\n  1E+05\n]",
    ],
    ["escapes", '["\\u0041\\/\\ud800"]', '[\n  "\\u0041\\/\\ud800"\n]'],
    [
      "the order of names",
      '{"b":1,"10":2,"9":3}',
      '{\n  "b": 1,\n  "10": 2,\n  "9": 3\n}',
    ],
    ["duplicate names", '{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'],
    ["__proto__", '{"__proto__":[0]}', '{\n  "__proto__": [\n    0\n  ]\n}'],
    ["white space in strings", '{" a ":" \\n "}', '{\n  " a ": " \\n "\n}'],
    ["empty containers", '[{},{"a":[]}]', '[\n  {},\n  {\n    "a": []\n  }\n]'],
    ["a lone surrogate", '["\ud800"]', '[\n  "\ud800"\n]'],
  ] as const;
  for (const [name, minified, formatted] of rows) {
    await t.step(name, () => {
      assertEquals(formatJson(minified), formatted);
      assertEquals(minifyJson(`\r\n${formatted}\t`), minified);
    });
  }
  await t.step("the texts of the tables", () => {
    // Formatted, the texts with 6,000 levels of nesting have 72 MB.
    for (const text of ALL_VALID.filter(({ length }) => length < 10_000)) {
      const minified = minifyJson(formatJson(text));
      assert(minified === minifyJson(text), text.slice(0, 80));
    }
    for (const text of [...VALID, ...VALID_BY_DECISION]) {
      assert(minifyJson(text) === text, text.slice(0, 80));
    }
  });
  await t.step("byte order marks in a long string", () => {
    const text = `"${"\ufeff".repeat(100_000)}"`;
    assert(minifyJson(formatJson(text)) === text);
  });
});

Deno.test("formatJson() indents by 2 spaces unless told otherwise, and by at least 1", () => {
  assertEquals(formatJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  for (const indent of [0, -1, 1.5, NaN, Infinity]) {
    assertThrows(
      () => formatJson("[]", { indent }),
      RangeError,
      "indent must be",
    );
  }
});

Deno.test("formatJson() allows exactly maxBytes bytes", async (t) => {
  const rows = [
    ["ASCII", "[1,2]", 2],
    ["two bytes a character", '["éé"]', 2],
    ["three bytes a character", `["${"漢".repeat(3_000)}"]`, 2],
    ["four bytes a character", '{"😀":"é"}', 4],
    ["white space removed", "[ 1 ,  2 ]   ", 2],
    ["no change", "[\n  1\n]", 2],
    ["a scalar", '"é"', 2],
  ] as const;
  for (const [name, text, indent] of rows) {
    await t.step(name, () => {
      const expected = JSON.stringify(JSON.parse(text), null, indent);
      const maxBytes = new TextEncoder().encode(expected).byteLength;
      assertEquals(formatJson(text, { indent, maxBytes }), expected);
      assertThrows(
        () => formatJson(text, { indent, maxBytes: maxBytes - 1 }),
        JsonSizeError,
        `the result would exceed ${maxBytes - 1} bytes`,
      );
    });
  }
  await t.step("an invalid text is reported rather than its size", () => {
    const text = "[".repeat(50) + "1" + "]".repeat(49) + "}";
    const format = () => formatJson(text, { maxBytes: 100 });
    assertThrows(format, JsonTextError, "column 101");
  });
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

Deno.test("the tables agree with JSON.parse(), and all functions with the tables", () => {
  for (const text of ALL_VALID) {
    assertEquals(findJsonError(text), undefined, text.slice(0, 80));
    assert(isJson(text), text.slice(0, 80));
  }
  for (const [text, line, column] of INVALID) {
    const shown = JSON.stringify(text.slice(0, 80));
    const message = findJsonError(text);
    assert(message?.endsWith(` at line ${line}, column ${column}`), shown);
    assert(!isJson(text), shown);
    for (const rewrite of [formatJson, minifyJson]) {
      const error = assertThrows(() => rewrite(text), JsonTextError);
      assertEquals(error.message, message);
    }
  }
});

Deno.test("an error names the expected and the actual character, and their place", async (t) => {
  // deno-fmt-ignore
  const rows = [
    ["[1,]", 'a JSON value, got "]" at line 1, column 4'],
    ["{a:1}", 'a name in double quotes, got "a" at line 1, column 2'],
    ['{"a"1}', '":", got "1" at line 1, column 5'],
    ["[1 2]", '"," or "]", got "2" at line 1, column 4'],
    ['{"a":1"', '"," or "}", got "\\"" at line 1, column 7'],
    ["1 2", 'the end of the text, got "2" at line 1, column 3'],
    ["-x", 'a digit, got "x" at line 1, column 2'],
    ["trux", '"true", got "x" at line 1, column 4'],
    ['"a', "a closing double quote, got the end of the text at line 1, column 3"],
    ['"\n"', "control characters to be escaped, got U+000A at line 1, column 2"],
    ['"\\x"', 'one of "\\/bfnrtu after the backslash, got "x" at line 1, column 3'],
    ['"\\u00g0"', 'four hexadecimal digits after \\u, got "g" at line 1, column 6'],
    ["\ufeff1", "a JSON value, got U+FEFF at line 1, column 1"],
    ["😀", 'a JSON value, got "😀" at line 1, column 1'],
    ["\ud800", "a JSON value, got U+D800 at line 1, column 1"],
  ] as const;
  for (const [text, message] of rows) {
    await t.step(message, () => {
      assertEquals(findJsonError(text), `expected ${message}`);
    });
  }
  await t.step("as properties", () => {
    const text = '{"😀":\r\n "é😀" "b"}';
    const { name, line, column, offset } = assertThrows(
      () => formatJson(text),
      JsonTextError,
    );
    const at = text.indexOf('"b"');
    assertEquals([name, line, column, offset], ["JsonTextError", 2, 7, at]);
  });
});

Deno.test("findJsonError() agrees with JSON.parse() on random, mutated and long texts", () => {
  const symbols = fc.string({
    unit: fc.constantFrom(...'{}[]",:\\ \n01-.eEu', "true", "null", '"a"'),
  });
  const longStrings = fc.tuple(
    fc.integer({ min: 1, max: 5_000 }),
    fc.constantFrom(
      "\n",
      "\x1f",
      "\0",
      "\\x",
      "\\u00g0",
      '"',
      "\x7f",
      "\ud800",
    ),
    fc.integer({ min: 1, max: 5_000 }),
  ).map(([before, piece, after]) =>
    `["${"a".repeat(before)}${piece}${"b".repeat(after)}"]`
  );
  for (const texts of [symbols, mutatedTexts, anyText(), longStrings]) {
    fc.assert(
      fc.property(texts, (text) => {
        assertEquals(findJsonError(text) === undefined, isJson(text), text);
      }),
      { numRuns: times(600) },
    );
  }
});
