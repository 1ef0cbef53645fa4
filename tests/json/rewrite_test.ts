import { assert, assertEquals, assertThrows } from "@std/assert";
import fc, { times } from "../_property.ts";
import { JsonTextError } from "../../lib/json/error.ts";
import { JsonSizeError, rewriteText } from "../../lib/json/rewrite.ts";
import { encodeText, scanText } from "../../lib/json/scan.ts";
import { findJsonError } from "../../lib/json/mod.ts";
import { ALL_VALID, plainValues, spacedTexts } from "./_random.ts";
import { INVALID, VALID, VALID_BY_DECISION } from "./_texts.ts";

/** Limit of a result, in bytes: only results of deep nesting exceed it. */
const MAX_BYTES = 10_000_000;

function format(text: string, indent = 2, maxBytes = MAX_BYTES): string {
  const options = { indent, maxBytes, before: '"', after: '"' };
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const scan = scanText(encodeText(text));
  return JSON.parse(decoder.decode(rewriteText(scan, options)));
}

function minify(text: string): string {
  return format(text, 0, Infinity);
}

const indents = fc.constantFrom(2, 4);

Deno.test("formatJson() and minifyJson() agree with JSON.stringify on JSON that survives a double", () => {
  fc.assert(
    fc.property(spacedTexts, indents, (text, indent) => {
      const value = JSON.parse(text);
      const formatted = JSON.stringify(value, null, indent);
      const minified = JSON.stringify(value);
      assertEquals(format(text, indent), formatted);
      assertEquals(format(formatted, indent), formatted);
      assertEquals(minify(text), minified);
      assertEquals(minify(formatted), minified);
    }),
    { numRuns: times(400) },
  );
});

Deno.test("minifyJson() undoes formatJson()", () => {
  // Formatted, the texts with 6,000 levels of nesting have 72 MB.
  for (const text of ALL_VALID.filter(({ length }) => length < 10_000)) {
    assert(minify(format(text)) === minify(text), text.slice(0, 80));
  }
});

Deno.test("minifyJson() keeps texts without white space", () => {
  for (const text of [...VALID, ...VALID_BY_DECISION]) {
    assert(minify(text) === text, text.slice(0, 80));
  }
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
      assertEquals(format(minified), formatted);
      assertEquals(minify(`\r\n${formatted}\t`), minified);
    });
  }
});

/** White space of every kind, also of the same length as in the result. */
const whiteSpace = fc.oneof(
  fc.constantFrom("", " ", "\n", "\t", "\r", "\r\n", "  "),
  fc.tuple(
    fc.constantFrom("\n", "\r", " ", "\t", ""),
    fc.constantFrom(" ", "\t", "\n", "\r"),
    fc.nat({ max: 13 }),
  ).map(([first, rest, count]) => first + rest.repeat(count)),
  fc.string({ unit: fc.constantFrom(..." \t\n\r"), maxLength: 9 }),
);

/** Splits a text without white space into its tokens. */
function split(minified: string): string[] {
  return minified.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^{}[\],:"]+/g) ?? [];
}

Deno.test("formatJson() and minifyJson() replace any white space between tokens", () => {
  fc.assert(
    fc.property(
      plainValues,
      fc.array(whiteSpace, { minLength: 1, maxLength: 40, size: "max" }),
      indents,
      (value, gaps, indent) => {
        const minified = JSON.stringify(value);
        const spaced = split(minified)
          .map((token, i) => gaps[i % gaps.length] + token).join("") +
          gaps.at(-1);
        assertEquals(
          format(spaced, indent),
          JSON.stringify(value, null, indent),
        );
        assertEquals(minify(spaced), minified);
      },
    ),
    { numRuns: times(400) },
  );
});

Deno.test("formatJson() replaces white space that has only the length of the right one", () => {
  const texts = [
    '{\n  "a":\t1\n}',
    '{\n  "a":\n1\n}',
    '{\n  "a":\r1\n}',
    '{\n\t\t"a": 1\n}',
    '{\n \t"a": 1\n}',
    '{\n\t "a": 1\n}',
    '{   "a": 1\n}',
    '{\r  "a": 1\n}',
    '{\n  "a": 1 }',
  ];
  for (const text of texts) {
    assertEquals(format(text), '{\n  "a": 1\n}', JSON.stringify(text));
  }
});

Deno.test("formatJson() and minifyJson() throw the error that findJsonError() finds", () => {
  for (const [text] of INVALID) {
    for (const rewrite of [format, minify]) {
      const { message } = assertThrows(() => rewrite(text), JsonTextError);
      assertEquals(message, findJsonError(text));
    }
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
      assertEquals(format(text, indent, maxBytes), expected);
      assertThrows(
        () => format(text, indent, maxBytes - 1),
        JsonSizeError,
        `the result would exceed ${maxBytes - 1} bytes`,
      );
    });
  }
});

Deno.test("formatJson() reports an invalid text rather than its size", () => {
  const text = "[".repeat(50) + "1" + "]".repeat(49) + "}";
  assertThrows(() => format(text, 2, 100), JsonTextError, "column 101");
});
