import { assertEquals, assertMatch } from "@std/assert";
import fc, { anyText, times } from "./_random.ts";
import { formatValue } from "../lib/format_value.ts";

const A40 = "a".repeat(40);

Deno.test("formatValue() names values of every type, strings in at most 40 characters, invisible ones escaped", async (t) => {
  const rows: readonly [value: unknown, named: string][] = [
    [undefined, "nothing"],
    [null, "null"],
    [false, "false"],
    [[1], "an array"],
    [{ a: 1 }, "an object"],
    ["abc", '"abc"'],
    ["", '""'],
    ['"', '"\\""'],
    ["😀", '"😀"'],
    [A40, `"${A40}"`],
    [`${A40}b`, `"${"a".repeat(39)}…"`],
    ["😀".repeat(40), `"${"😀".repeat(40)}"`],
    ["😀".repeat(41), `"${"😀".repeat(39)}…"`],
    ["ab".repeat(250_000), `"${"ab".repeat(19)}a…"`],
    // A double is exact up to 2⁵³ − 1.
    [2.5, "2.5"],
    [9007199254740991, "9007199254740991"],
    [-9007199254740991, "-9007199254740991"],
    [9007199254740992, "a number above 9007199254740991"],
    [-9007199254740992, "a number below -9007199254740991"],
    [1e999, "a number above 9007199254740991"],
    // White space, control characters and others that are invisible.
    ["a b", '"a b"'],
    [" ", "U+0020"],
    ["  ", '"  "'],
    ["\n", "U+000A"],
    ["5\n", '"5\\n"'],
    ["a\x7f", '"a\\u007f"'],
    ["\u202e", "U+202E"],
    ["abc\u202edef", '"abc\\u202edef"'],
    ["\u202e\u202e", '"\\u202e\\u202e"'],
    ["\u2028", "U+2028"],
    ["a\u200bb", '"a\\u200bb"'],
    ["\u3164", "U+3164"],
    ["\u2800", "U+2800"],
    ["a\ufe0f", '"a\\ufe0f"'],
    ["\u{e0041}", "U+E0041"],
    ["a\u{e0041}", '"a\\udb40\\udc41"'],
    ["\ud800", "U+D800"],
    ["a\ud800", '"a\\ud800"'],
    ["5\ufffd", '"5\ufffd"'],
  ];
  for (const [value, named] of rows) {
    await t.step(named, () => assertEquals(formatValue(value), named));
  }
});

Deno.test("formatValue() prints visible characters only, and loses none", () => {
  const texts = anyText(40);
  fc.assert(
    fc.property(texts, (text) => {
      const named = formatValue(text);
      assertMatch(named, /^[^\p{C}\p{Zl}\p{Zp}]*$/u);
      const [, code] = /^U\+([0-9A-F]{4,6})$/.exec(named) ?? [];
      assertEquals(
        code ? String.fromCodePoint(parseInt(code, 16)) : JSON.parse(named),
        text,
      );
    }),
    { numRuns: times(400) },
  );
});
