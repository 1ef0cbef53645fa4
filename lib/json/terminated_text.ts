/**
 * Texts as the scanner reads them.
 *
 * @module
 */

import { type Bytes, resize } from "../buffer.ts";

/**
 * The UTF-8 bytes of a text, followed by a zero byte, at which a loop over the bytes of a
 * token ends at the latest. Without the zero byte, the loop would read beyond the end of
 * the array, which makes V8 compile slower code for all later texts.
 */
export type TerminatedText = Bytes;

/**
 * First byte of a lone surrogate (U+D800 to U+DFFF) as `encodeText()` writes it, and of the
 * characters U+D000 to U+D7FF.
 */
export const SURROGATE_BYTE = 0xed;

/**
 * Smallest second byte of a lone surrogate. The second bytes of U+D000 to U+D7FF are
 * smaller.
 */
export const MIN_SECOND_SURROGATE_BYTE = 0xa0;

const utf8Encoder = new TextEncoder();

/**
 * Encodes a text. A lone surrogate, which UTF-8 cannot encode, is encoded in three bytes as
 * in WTF-8 (section 3.3), so that nothing is lost.
 */
export function encodeText(text: string): TerminatedText {
  // The first array has one byte for each UTF-16 code unit, which is enough for ASCII. If
  // it is too small, the rest of the text gets three bytes for each unit, which is enough
  // for all characters.
  let bytes = new Uint8Array(text.length + 1);
  let { read, written } = utf8Encoder.encodeInto(text, bytes.subarray(0, -1));
  if (read < text.length) {
    const rest = text.slice(read);
    const length = written + 3 * rest.length + 1;
    bytes = new Uint8Array(resize(bytes.buffer, length));
    written += utf8Encoder.encodeInto(rest, bytes.subarray(written)).written;
    bytes = bytes.subarray(0, written + 1);
  }
  if (text.isWellFormed()) return bytes;
  // For each lone surrogate, the encoder has written the three bytes of U+FFFD. This loop
  // overwrites them with the three bytes of the surrogate.
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.codePointAt(i)!;
    if (code >= 0xd800 && code < 0xe000) {
      bytes[at] = SURROGATE_BYTE;
      bytes[at + 1] = 0x80 | code >> 6 & 0x3f;
      bytes[at + 2] = 0x80 | code & 0x3f;
    }
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    // A character above U+FFFF has two code units.
    if (code > 0xffff) i += 1;
  }
  return bytes;
}

/**
 * Returns the code point at an offset in bytes: of a character, or of a lone surrogate that
 * `encodeText()` has encoded.
 */
export function readCodePoint(text: TerminatedText, at: number): number {
  const lead = text[at]!;
  if (lead < 0x80) return lead;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let code = lead & 0x7f >> length;
  for (let i = 1; i < length; i += 1) code = code << 6 | text[at + i]! & 0x3f;
  return code;
}
