import { assertEquals } from "@std/assert";
import fc from "../_random.ts";
import {
  countCodePoints,
  decodeBase64,
  describeSize,
  findChange,
  formatList,
  locate,
} from "../../web/text.js";
import { decodeForgivingBase64 } from "../../lib/base64.ts";

Deno.test("decodeBase64() of the page agrees with the service", () => {
  const inputs = fc.string({
    unit: fc.constantFrom(..."AZaz09+/-_= \n!"),
  });
  fc.assert(fc.property(inputs, (text) => {
    let expected: Uint8Array | undefined;
    try {
      expected = decodeForgivingBase64(text);
    } catch {
      // The service rejects a mix of both alphabets.
      if (/[-_]/.test(text) && /[+/]/.test(text)) return;
    }
    assertEquals(decodeBase64(text), expected);
  }));
  assertEquals(decodeBase64("_-8"), Uint8Array.of(0xff, 0xef));
  assertEquals(decodeBase64("*"), undefined);
});

Deno.test("describeSize() is exact up to 10 KB and rounded above", () => {
  const rows: [bytes: number, expected: string][] = [
    [1, "1 byte"],
    [10_000, "10,000 bytes"],
    [12_345, "12.3 KB"],
    [999_499, "999 KB"],
    [999_500, "1 MB"],
    [4_294_967_296, "4,290 MB"],
  ];
  for (const [bytes, expected] of rows) {
    assertEquals(describeSize(bytes), expected);
  }
});

Deno.test("formatList() returns the lines to show and the text to copy", async (t) => {
  const rows: [form: string, text: string, lines: string[], copied: string][] =
    [
      ["lines", "a-1\nb", ["a-1", "b"], "a-1\nb"],
      ["upper", "a-1\nb", ["A-1", "B"], "A-1\nB"],
      ["bare", "a-1\nb", ["a1", "b"], "a1\nb"],
      ["quoted", "a\nb", ["'a'", "'b'"], "'a',\n'b'"],
      ["json", "a\nb", ['"a"', '"b"'], '[\n  "a",\n  "b"\n]'],
      ["json", "a", ['["a"]'], '["a"]'],
    ];
  for (const [form, text, lines, copied] of rows) {
    await t.step(`${form} ${JSON.stringify(text)}`, () => {
      assertEquals(formatList(text, form), { lines, text: copied });
    });
  }
});

Deno.test("findChange() finds the part in which two strings differ", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab\n"), maxLength: 12 });
  fc.assert(fc.property(text, text, (before, after) => {
    const { from, to, insert } = findChange(before, after);
    assertEquals(before.slice(0, from) + insert + before.slice(to), after);
  }));
  assertEquals(findChange("abcd", "axcd"), { from: 1, to: 2, insert: "x" });
});

Deno.test("countCodePoints() counts a surrogate pair as one, and a lone surrogate", () => {
  const texts = ["", "abc", "a😀b", "\ud83d\ud83d\ude00\ude00", "e\u0301"];
  for (const text of texts) {
    assertEquals(countCodePoints(text), [...text].length);
  }
});

Deno.test("locate() counts lines of every ending, and columns in code points", () => {
  const text = "a\rb\r\nc\n😀d";
  const positions = [[0, 1, 1], [2, 2, 1], [5, 3, 1], [9, 4, 2]] as const;
  for (const [offset, line, column] of positions) {
    assertEquals(locate(text, offset), { line, column });
  }
});
