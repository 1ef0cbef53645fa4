/**
 * Texts as the scanner reads them: in UTF-8, with a zero byte at the end.
 *
 * @module
 */

import { type Bytes, resize } from "../values/buffer.ts";

/**
 * The UTF-8 bytes of a text, followed by a zero byte. Loops over a token end at the zero
 * byte at the latest: a read beyond the end of an array would make V8 compile slower code
 * for all later texts.
 */
export type TerminatedText = Bytes;

/** First byte of every lone surrogate (see `encodeText()`), and of some other characters. */
export const SURROGATE_BYTE = 0xed;

/** Smallest second byte of a lone surrogate; the other characters have smaller ones. */
export const MIN_SECOND_SURROGATE_BYTE = 0xa0;

const utf8Encoder = new TextEncoder();

/**
 * Encodes a text as UTF-8, with a zero byte after it. A lone surrogate, which UTF-8 cannot
 * encode, is encoded in three bytes as in WTF-8 (section 3), so that nothing is lost.
 */
export function encodeText(text: string): TerminatedText {
  // ASCII takes one byte for each UTF-16 code unit, other characters at most three.
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
  // The encoder has written U+FFFD for each lone surrogate, which has three bytes as well.
  for (let i = 0, at = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) at += 1;
    else if (code < 0x800) at += 2;
    else if (text.codePointAt(i)! > 0xffff) {
      at += 4;
      i += 1;
    } else {
      if (code >= 0xd800 && code < 0xe000) {
        bytes[at] = SURROGATE_BYTE;
        bytes[at + 1] = 0x80 | code >> 6 & 0x3f;
        bytes[at + 2] = 0x80 | code & 0x3f;
      }
      at += 3;
    }
  }
  return bytes;
}
