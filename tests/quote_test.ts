import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { describe } from "../lib/quote.ts";

Deno.test("describe() names what came", async (t) => {
  const a40 = "a".repeat(40);
  const rows: readonly [name: string, value: unknown, named: string][] = [
    ["nothing", undefined, "nothing"],
    ["null", null, "null"],
    ["a boolean", false, "false"],
    ["an array", [1], "an array"],
    ["an object", { a: 1 }, "an object"],
    ["a string", "abc", '"abc"'],
    ["an empty string", "", '""'],
    ["a character", "é", '"é"'],
    ["a quote", '"', '"\\""'],
    ["a backslash", "a\\", '"a\\\\"'],
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
      "40 characters, the last of two units",
      `${"a".repeat(39)}😀`,
      `"${"a".repeat(39)}😀"`,
    ],
    [
      "half a million characters",
      "ab".repeat(250_000),
      `"${"ab".repeat(19)}a…"`,
    ],
    ["zero", 0, "0"],
    ["a fraction", 2.5, "2.5"],
    ["a negative number", -1, "-1"],
    ["the largest whole number", 9007199254740991, "9007199254740991"],
    ["the smallest whole number", -9007199254740991, "-9007199254740991"],
    ["one more", 9007199254740992, "a number above 9007199254740991"],
    ["one less", -9007199254740992, "a number below -9007199254740991"],
    ["beyond a double", 1e999, "a number above 9007199254740991"],
    ["below a double", -1e999, "a number below -9007199254740991"],
  ];
  for (const [name, value, named] of rows) {
    await t.step(name, () => assertEquals(describe(value), named));
  }
});

Deno.test("describe() shows what is invisible", async (t) => {
  const rows = [
    ["a space between others", "a b", '"a b"'],
    ["a space", " ", "U+0020"],
    ["two spaces", "  ", '"  "'],
    ["a line feed", "\n", "U+000A"],
    ["a line feed at the end", "5\n", '"5\\n"'],
    ["delete", "a\x7f", '"a\\u007f"'],
    ["a C1 control", "\x85", "U+0085"],
    ["a right-to-left override", "\u202e", "U+202E"],
    ["the same among others", "abc\u202edef", '"abc\\u202edef"'],
    ["the same twice", "\u202e\u202e", '"\\u202e\\u202e"'],
    ["a no-break space", "a\u00a0", '"a\\u00a0"'],
    ["a line separator", "\u2028", "U+2028"],
    ["a zero-width space", "a\u200bb", '"a\\u200bb"'],
    ["a byte order mark", "\ufeff[]", '"\\ufeff[]"'],
    ["a soft hyphen", "a\u00adb", '"a\\u00adb"'],
    ["a Hangul filler", "\u3164", "U+3164"],
    ["the empty Braille pattern", "\u2800", "U+2800"],
    ["a variation selector", "a\ufe0f", '"a\\ufe0f"'],
    ["a tag outside the BMP", "\u{e0041}", "U+E0041"],
    ["the same among others", "a\u{e0041}", '"a\\udb40\\udc41"'],
    ["private use", "\ue000", "U+E000"],
    ["a lone surrogate", "\ud800", "U+D800"],
    ["the same among others", "a\ud800", '"a\\ud800"'],
    ["the replacement character", "5\ufffd", '"5\ufffd"'],
  ] as const;
  for (const [name, value, named] of rows) {
    await t.step(name, () => assertEquals(describe(value), named));
  }
});

Deno.test("describe() prints no character that is not seen, and loses none", () => {
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
