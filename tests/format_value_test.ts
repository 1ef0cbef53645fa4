import { assertEquals, assertMatch } from "@std/assert";
import fc, { anyText, times } from "./_random.ts";
import { formatValue } from "../lib/format_value.ts";

const A40 = "a".repeat(40);

Deno.test("formatValue() describes values of every type, and shortens strings to 40 visible characters", async (t) => {
  const rows: readonly [value: unknown, named: string][] = [
    [undefined, "nothing"],
    [null, "null"],
    [false, "false"],
    [[1], "an array"],
    [{ a: 1 }, "an object"],
    ["abc", '"abc"'],
    ['"', '"\\""'],
    [A40, `"${A40}"`],
    [`${A40}b`, `"${"a".repeat(39)}…"`],
    ["😀".repeat(40), `"${"😀".repeat(40)}"`],
    ["😀".repeat(41), `"${"😀".repeat(39)}…"`],
    // A double is exact up to 2⁵³ − 1.
    [2.5, "2.5"],
    [9007199254740991, "9007199254740991"],
    [9007199254740992, "a number above 9007199254740991"],
    [-9007199254740992, "a number below -9007199254740991"],
    [1e999, "a number above 9007199254740991"],
    // Whitespace, control characters, and other invisible characters.
    [" ", "U+0020"],
    ["  ", '"  "'],
    ["\n", "U+000A"],
    ["5\n", '"5\\n"'],
    ["a\x7f", '"a\\u007f"'],
    ["\u202e", "U+202E"],
    ["\u202e\u202e", '"\\u202e\\u202e"'],
    ["a\u200bb", '"a\\u200bb"'],
    ["\u3164", "U+3164"],
    ["\u2800", "U+2800"],
    ["a\u{e0041}", '"a\\udb40\\udc41"'],
    ["\ud800", "U+D800"],
    ["a\ud800", '"a\\ud800"'],
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
