/** The export `./json`, which every interface of the operation uses. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import fc, {
  ALL_VALID,
  anyText,
  mutatedTexts,
  plainValues,
  times,
  words,
} from "../_random.ts";
import {
  findJsonError,
  formatJson,
  JsonSizeError,
  JsonTextError,
  minifyJson,
} from "../../lib/json/mod.ts";

/** Whether `JSON.parse()` accepts a string. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

Deno.test("formatJson() and minifyJson() agree with JSON.stringify(), regardless of the whitespace between tokens", () => {
  const indents = fc.integer({ min: 1, max: 9 });
  const gaps = fc.array(
    fc.string({ unit: fc.constantFrom(..." \t\n\r"), maxLength: 9 }),
    { minLength: 1, maxLength: 40, size: "max" },
  );
  fc.assert(
    fc.property(plainValues, indents, gaps, (value, indent, gaps) => {
      const formatted = JSON.stringify(value, null, indent);
      const minified = JSON.stringify(value);
      const tokens =
        minified.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^{}[\],:"]+/g) ?? [];
      const spaced = tokens
        .map((token, i) => gaps[i % gaps.length] + token).join("") +
        gaps.at(-1);
      for (const text of [spaced, minified, formatted]) {
        assertEquals(formatJson(text, { indent }), formatted);
        assertEquals(minifyJson(text), minified);
      }
    }),
    { numRuns: times(400) },
  );
});

/** Removes the whitespace outside of strings. */
function removeWhitespace(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g, "$1");
}

Deno.test("formatJson() and minifyJson() change no number, string, name, or order", () => {
  const marks = `"${"\ufeff".repeat(100_000)}"`;
  for (const text of [...ALL_VALID, marks]) {
    const name = text.slice(0, 80);
    const minified = removeWhitespace(text);
    assert(minifyJson(text) === minified, name);
    if (/^[[{]/.test(minified)) {
      // Formatted, the documents with 6,000 levels of nesting have 72 MB.
      if (text.length > 10_000) continue;
      assert(removeWhitespace(formatJson(text)) === minified, name);
    } else {
      assert(formatJson(text) === minified, name);
      assert(
        formatJson(`{"a":${text},"b":[${text}]}`) ===
          `{\n  "a": ${minified},\n  "b": [\n    ${minified}\n  ]\n}`,
        name,
      );
    }
  }
});

Deno.test("formatJson() indents by 2 spaces by default, and by 1 to 100", () => {
  assertEquals(formatJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  assertEquals(formatJson("[1]", { indent: 1 }), "[\n 1\n]");
  const line = `${" ".repeat(100)}1`;
  assertEquals(formatJson("[1]", { indent: 100 }), `[\n${line}\n]`);
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
    ["characters of two to four bytes", `{"😀é":"${"漢".repeat(3_000)}"}`, 4],
    ["whitespace removed", "[ 1 ,  2 ]   ", 2],
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
        `the result must be at most ${maxBytes - 1} bytes, got ${maxBytes}`,
      );
    });
  }
  await t.step("invalid JSON is reported rather than its size", () => {
    const text = "[".repeat(50) + "1" + "]".repeat(49) + "}";
    const format = () => formatJson(text, { maxBytes: 100 });
    assertThrows(format, JsonTextError, "column 101");
  });
  await t.step("a result of two terabytes is measured, not created", () => {
    const text = "[".repeat(1e6) + "]".repeat(1e6);
    const format = () => formatJson(text, { maxBytes: 8 * 2 ** 20 });
    const { byteLength } = assertThrows(format, JsonSizeError);
    // The innermost pair of brackets shares a line, which no other brackets do.
    const newlines = 2e6 - 2;
    const spaces = 2 * (1e6 - 1) ** 2;
    assertEquals(byteLength, 2e6 + newlines + spaces);
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

Deno.test("an error names the expected and the actual character, and its position", async (t) => {
  const rows = [
    ["[1,]", 'a JSON value, got "]" at line 1, column 4'],
    ["{a:1}", 'a name in double quotes, got "a" at line 1, column 2'],
    ['{"a"1}', '":", got "1" at line 1, column 5'],
    ["[1 2]", '"," or "]", got "2" at line 1, column 4'],
    ['{"a":1"', '"," or "}", got "\\"" at line 1, column 7'],
    ["1 2", 'the end of the text, got "2" at line 1, column 3'],
    ["-x", 'a digit, got "x" at line 1, column 2'],
    ["trux", '"true", got "x" at line 1, column 4'],
    [
      '"a',
      "a closing double quote, got the end of the text at line 1, column 3",
    ],
    [
      '"\n"',
      "control characters to be escaped, got U+000A at line 1, column 2",
    ],
    [
      '"\\x"',
      'one of "\\/bfnrtu after the backslash, got "x" at line 1, column 3',
    ],
    [
      '"\\u00g0"',
      'four hexadecimal digits after \\u, got "g" at line 1, column 6',
    ],
    ["\ufeff1", "a JSON value, got U+FEFF at line 1, column 1"],
    ["😀", 'a JSON value, got "😀" at line 1, column 1'],
    // UTF-8 cannot encode it (section 8.1).
    ['"a\ud800"', "well-formed Unicode, got U+D800 at line 1, column 3"],
    ["\ud800", "well-formed Unicode, got U+D800 at line 1, column 1"],
    ['[\n1 2, "\ud800"]', '"," or "]", got "2" at line 2, column 3'],
  ] as const;
  for (const [text, message] of rows) {
    await t.step(message, () => {
      assertEquals(findJsonError(text)?.message, `expected ${message}`);
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

Deno.test("findJsonError() agrees with JSON.parse() on random, mutated and long strings", () => {
  const symbols = fc.string({
    unit: fc.constantFrom(...'{}[]",:\\ \n01-.eEu', "true", "null", '"a"'),
  });
  const longStrings = fc.tuple(
    fc.integer({ min: 1, max: 5_000 }),
    words('\n \x1f \0 \\x \\u00g0 " \x7f'),
    fc.integer({ min: 1, max: 5_000 }),
  ).map(([before, part, after]) =>
    `["${"a".repeat(before)}${part}${"b".repeat(after)}"]`
  );
  for (const strings of [symbols, mutatedTexts, anyText(), longStrings]) {
    fc.assert(
      fc.property(strings, (text) => {
        assertEquals(findJsonError(text) === undefined, isJson(text), text);
      }),
      { numRuns: times(600) },
    );
  }
});
