import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { describe } from "../lib/quote.ts";

Deno.test("describe() names values of every type, strings in at most 40 characters", async (t) => {
  const a40 = "a".repeat(40);
  const rows: readonly [name: string, value: unknown, named: string][] = [
    ["nothing", undefined, "nothing"],
    ["null", null, "null"],
    ["a boolean", false, "false"],
    ["an array", [1], "an array"],
    ["an object", { a: 1 }, "an object"],
    ["a string", "abc", '"abc"'],
    ["an empty string", "", '""'],
    ["a quote", '"', '"\\""'],
    ["a character outside the BMP", "😀", '"😀"'],
    ["40 characters", a40, `"${a40}"`],
    ["41 characters", `${a40}b`, `"${"a".repeat(39)}…"`],
    ["40 characters of two units", "😀".repeat(40), `"${"😀".repeat(40)}"`],
    [
      "41 characters of two units",
      "😀".repeat(41),
      `"${"😀".repeat(39)}…"`,
    ],
    [
      "half a million characters",
      "ab".repeat(250_000),
      `"${"ab".repeat(19)}a…"`,
    ],
    ["a fraction", 2.5, "2.5"],
    ["the largest whole number", 9007199254740991, "9007199254740991"],
    ["the smallest whole number", -9007199254740991, "-9007199254740991"],
    ["one more", 9007199254740992, "a number above 9007199254740991"],
    ["one less", -9007199254740992, "a number below -9007199254740991"],
    ["infinity", 1e999, "a number above 9007199254740991"],
  ];
  for (const [name, value, named] of rows) {
    await t.step(name, () => assertEquals(describe(value), named));
  }
});

Deno.test("describe() escapes invisible characters", async (t) => {
  const rows = [
    ["a space in a text", "a b", '"a b"'],
    ["a space", " ", "U+0020"],
    ["two spaces", "  ", '"  "'],
    ["a line feed", "\n", "U+000A"],
    ["a line feed at the end", "5\n", '"5\\n"'],
    ["delete", "a\x7f", '"a\\u007f"'],
    ["a right-to-left override", "\u202e", "U+202E"],
    ["one in a text", "abc\u202edef", '"abc\\u202edef"'],
    ["two of them", "\u202e\u202e", '"\\u202e\\u202e"'],
    ["a line separator", "\u2028", "U+2028"],
    ["a zero-width space", "a\u200bb", '"a\\u200bb"'],
    ["a Hangul filler", "\u3164", "U+3164"],
    ["the empty Braille pattern", "\u2800", "U+2800"],
    ["a variation selector", "a\ufe0f", '"a\\ufe0f"'],
    ["a tag outside the BMP", "\u{e0041}", "U+E0041"],
    ["a tag in a text", "a\u{e0041}", '"a\\udb40\\udc41"'],
    ["a lone surrogate", "\ud800", "U+D800"],
    ["a lone surrogate in a text", "a\ud800", '"a\\ud800"'],
    ["the replacement character", "5\ufffd", '"5\ufffd"'],
  ] as const;
  for (const [name, value, named] of rows) {
    await t.step(name, () => assertEquals(describe(value), named));
  }
});

Deno.test("describe() prints visible characters only, and loses none", () => {
  const texts = fc.string({ unit: "binary", maxLength: 40 });
  fc.assert(
    fc.property(texts, (text) => {
      const named = describe(text);
      assertMatch(named, /^[^\p{C}\p{Zl}\p{Zp}]*$/u);
      const [, code] = /^U\+([0-9A-F]{4,6})$/.exec(named) ?? [];
      assertEquals(
        code ? String.fromCodePoint(parseInt(code, 16)) : JSON.parse(named),
        text,
      );
    }),
    { numRuns: 2_000 },
  );
});
