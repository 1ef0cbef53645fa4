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

Deno.test("decodeBase64() of the page reads what the service reads", () => {
  const inputs = fc.string({
    unit: fc.constantFrom(..."AZaz09+/-_= \n!"),
  });
  fc.assert(fc.property(inputs, (text) => {
    let expected: Uint8Array | undefined;
    try {
      expected = decodeForgivingBase64(text);
    } catch {
      // The service tells more apart: both alphabets in one text.
      if (/[-_]/.test(text) && /[+/]/.test(text)) return;
    }
    assertEquals(decodeBase64(text), expected);
  }));
  assertEquals(decodeBase64("_-8"), Uint8Array.of(0xff, 0xef));
  assertEquals(decodeBase64("*"), undefined);
});

Deno.test("describeSize() is exact up to 10 KB, and has three digits above", () => {
  const rows: [bytes: number, words: string][] = [
    [0, "0 bytes"],
    [1, "1 byte"],
    [1_091, "1,091 bytes"],
    [10_000, "10,000 bytes"],
    [12_345, "12.3 KB"],
    [300_000, "300 KB"],
    [999_499, "999 KB"],
    [999_500, "1 MB"],
    [1_048_576, "1.05 MB"],
    [4_294_967_296, "4,290 MB"],
  ];
  for (const [bytes, words] of rows) assertEquals(describeSize(bytes), words);
});

Deno.test("formatList() shows each line as it is copied", async (t) => {
  const rows: [form: string, text: string, lines: string[], copied: string][] =
    [
      ["lines", "a-1\nb", ["a-1", "b"], "a-1\nb"],
      ["upper", "a-1\nb", ["A-1", "B"], "A-1\nB"],
      ["bare", "a-1\nb", ["a1", "b"], "a1\nb"],
      ["quoted", "a\nb", ["'a'", "'b'"], "'a',\n'b'"],
      ["quoted", "a", ["'a'"], "'a'"],
      ["json", "a\nb", ['"a"', '"b"'], '[\n  "a",\n  "b"\n]'],
      ["json", "a", ['["a"]'], '["a"]'],
    ];
  for (const [form, text, lines, copied] of rows) {
    await t.step(`${form} ${JSON.stringify(text)}`, () => {
      assertEquals(formatList(text, form), { lines, text: copied });
    });
  }
});

Deno.test("findChange() finds where two texts differ, and divides no character", () => {
  const text = fc.string({
    unit: fc.constantFrom(..."ab\r\n", "\ud83d", "\ude00", "😀", "😁", "\r\n"),
    maxLength: 12,
  });
  const isDivided = (text: string, offset: number) =>
    [...text].length !==
      [...text.slice(0, offset)].length + [...text.slice(offset)].length ||
    text[offset - 1] === "\r" && text[offset] === "\n";
  fc.assert(fc.property(text, text, (before, after) => {
    const { from, to, insert } = findChange(before, after);
    assertEquals(before.slice(0, from) + insert + before.slice(to), after);
    for (const offset of [from, to]) {
      assertEquals(isDivided(before, offset), false);
    }
    for (const offset of [from, from + insert.length]) {
      assertEquals(isDivided(after, offset), false);
    }
  }));
  assertEquals(findChange("a😀b", "a😁b"), { from: 1, to: 3, insert: "😁" });
  assertEquals(findChange("abc", "abc"), { from: 3, to: 3, insert: "" });
});

Deno.test("countCodePoints() counts a pair as one, and half of a pair, too", () => {
  const texts = ["", "abc", "a😀b", "\ud83d\ud83d\ude00\ude00", "e\u0301"];
  for (const text of texts) {
    assertEquals(countCodePoints(text), [...text].length);
  }
});

Deno.test("locate() counts lines of every ending, and columns in code points", () => {
  const text = "a\rb\r\nc\n😀d";
  const places = [[0, 1, 1], [2, 2, 1], [5, 3, 1], [9, 4, 2]] as const;
  for (const [offset, line, column] of places) {
    assertEquals(locate(text, offset), { line, column });
  }
});
