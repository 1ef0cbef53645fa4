import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import fc, { times } from "../_property.ts";
import { character } from "../_text.ts";
import {
  encodeText as encodeInSteps,
  isUtf8,
  readCodePoint,
  type TextBytes,
} from "../../lib/json/utf8.ts";
import { runAtOnce } from "../../lib/work.ts";

const utf8Encoder = new TextEncoder();

function encodeText(text: string): TextBytes {
  return runAtOnce(encodeInSteps(text));
}

/** Characters, among them lone surrogates, and the first and last of each length in UTF-8. */
const characters = fc.array(fc.oneof(
  fc.constantFrom(
    ..."\0\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}",
    "\ud800",
    "\udbff",
    "\udc00",
    "\udfff",
  ),
  character,
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

Deno.test("isUtf8() agrees with the strict decoder, with pauses", () => {
  const bytes = fc.array(
    fc.oneof(
      characters.map((characters) =>
        utf8Encoder.encode(characters.join("").toWellFormed())
      ),
      fc.uint8Array({ maxLength: 4 }),
      // Longer than a part, which then ends at any byte of the next character.
      fc.integer({ min: 65_530, max: 65_540 }).map((length) =>
        new Uint8Array(length)
      ),
    ),
    { maxLength: 4 },
  ).map((parts) => new Uint8Array(Buffer.concat(parts)));
  fc.assert(fc.property(bytes, (bytes) => {
    assertEquals(runAtOnce(isUtf8(bytes)), isDecodable(bytes));
  }));
  assert([...isUtf8(new Uint8Array(500_000))].length >= 4);
});

function isDecodable(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

Deno.test("encodeText() encodes long texts in parts, with pauses", () => {
  // Pairs that begin at an odd offset, so that parts would divide them.
  const texts = fc.tuple(
    fc.integer({ min: 65_530, max: 65_540 }),
    fc.constantFrom("a", "é", "€", "😀", "\ud800", "\udc00"),
    characters,
    // A text with a lone surrogate is encoded in parts, even if it is short.
    fc.constantFrom("", "\udfff"),
  );
  fc.assert(
    fc.property(texts, ([length, filling, characters, last]) => {
      const end = filling + characters.join("") + last;
      const unit = Uint8Array.from(toBytes(filling));
      const expected = Buffer.concat([
        Uint8Array.from(toBytes("a")),
        Buffer.alloc(length * unit.length, unit),
        Uint8Array.from([...[...end].flatMap(toBytes), 0]),
      ]);
      const bytes = encodeText("a" + filling.repeat(length) + end);
      assert(expected.equals(bytes), `${length} × ${filling}`);
    }),
    { numRuns: times(20) },
  );
  // A pause would make a small request wait for large ones.
  for (const small of ["é".repeat(10_000), "\ud800".repeat(10_000)]) {
    assertEquals([...encodeInSteps(small)], []);
  }
});
