import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { encodeText, readCodePoint } from "../../lib/json/utf8.ts";

const utf8Encoder = new TextEncoder();

/** Characters, among them lone surrogates, and the first and last of each length in UTF-8. */
const characters = fc.array(fc.oneof(
  fc.constantFrom(
    ..."\0\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}",
    "\ud800",
    "\udbff",
    "\udc00",
    "\udfff",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
));

/** The bytes of a character; a surrogate is encoded as WTF-8 does (section 3). */
function toBytes(character: string): number[] {
  if (character.isWellFormed()) return [...utf8Encoder.encode(character)];
  const index = character.charCodeAt(0) - 0xd800;
  return [0xed, 0xa0 + (index >> 6), 0x80 + index % 64];
}

Deno.test("encodeText() encodes every character without loss, and adds a zero byte", () => {
  fc.assert(fc.property(characters, (characters) => {
    const text = characters.join("");
    // Surrogates that have come together are one character.
    const expected = [...text].flatMap(toBytes);
    assertEquals([...encodeText(text)], [...expected, 0]);
  }));
});

Deno.test("readCodePoint() reads every character, and nothing at the end", () => {
  fc.assert(fc.property(characters, (characters) => {
    const text = characters.join("");
    const bytes = encodeText(text);
    let at = 0;
    for (const character of text) {
      assertEquals(readCodePoint(bytes, at), character.codePointAt(0));
      at += toBytes(character).length;
    }
    assertEquals(readCodePoint(bytes, at), undefined);
  }));
});
