import { assertEquals } from "@std/assert";
import fc from "../_random.ts";
import {
  decodeBase64,
  describeSize,
  findChange,
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

Deno.test("findChange() finds where two strings differ", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab\n"), maxLength: 12 });
  fc.assert(fc.property(text, text, (before, after) => {
    const { from, to, insert } = findChange(before, after);
    assertEquals(before.slice(0, from) + insert + before.slice(to), after);
  }));
  assertEquals(findChange("abcd", "axcd"), { from: 1, to: 2, insert: "x" });
});

Deno.test("locate() counts lines of every ending, and columns in code points", () => {
  const text = "a\rb\r\nc\n😀\udc00d";
  const positions = [[0, 1, 1], [2, 2, 1], [5, 3, 1], [10, 4, 3]] as const;
  for (const [offset, line, column] of positions) {
    assertEquals(locate(text, offset), { line, column });
  }
});
