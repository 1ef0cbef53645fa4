/**
 * JSON texts as UTF-8 bytes, which are read twice as fast as the characters of a string
 * (Deno 2.9.6).
 *
 * @module
 */

import type { Work } from "../work.ts";
import { resize } from "../buffer.ts";

/**
 * The UTF-8 bytes of a text, followed by a zero byte. Loops over a token end at the zero
 * byte at the latest, so that they never read beyond the array. After such a read, V8 would
 * compile slower code for all later texts (Deno 2.9.6).
 */
export type TextBytes = Uint8Array<ArrayBuffer>;

/**
 * Length of the parts of a text between which the generators pause: in UTF-16 code units in
 * `encodeText()`, in bytes in `isUtf8()`.
 */
const PART_LENGTH = 64 * 1024;

const utf8Encoder = new TextEncoder();
// `ignoreBOM` keeps a byte order mark in the text.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8Decoder = new TextDecoder("utf-8", {
  ignoreBOM: true,
  fatal: true,
});

/** Copies the UTF-8 bytes of a text, and adds a zero byte after them. */
export function addZeroByte(bytes: Uint8Array): TextBytes {
  const text = new Uint8Array(bytes.byteLength + 1);
  text.set(bytes);
  return text;
}

/**
 * Encodes a text as UTF-8, with pauses if it has lone surrogates or more than 1,048,576
 * UTF-16 code units. A lone surrogate, which UTF-8 cannot encode, is encoded in three bytes
 * as in WTF-8 (section 3), so that nothing is lost.
 */
export function* encodeText(text: string): Work<TextBytes> {
  if (text.isWellFormed()) {
    // A UTF-16 code unit takes at most three bytes in UTF-8; the buffer is larger only
    // where it has to be.
    const buffer = new Uint8Array(text.length + 1);
    const { read, written } = utf8Encoder.encodeInto(
      text,
      buffer.subarray(0, -1),
    );
    if (read === text.length) return buffer.subarray(0, written + 1);
    return addZeroByte(utf8Encoder.encode(text));
  }
  // One byte for each UTF-16 code unit is enough for ASCII; for other characters the array
  // is enlarged later.
  let bytes = new Uint8Array(text.length + 1);
  let length = 0;
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PART_LENGTH, text.length);
    // A part must not end between the two halves of a surrogate pair.
    if (text.codePointAt(end - 1)! > 0xffff) end += 1;
    const part = text.slice(start, end);
    const { read, written } = encodeInto(part, bytes.subarray(length, -1));
    start += read;
    length += written;
    if (read < part.length) {
      // A UTF-16 code unit takes at most three bytes in UTF-8.
      const capacity = length + 3 * (text.length - start) + 1;
      bytes = new Uint8Array(resize(bytes.buffer, capacity));
    } else if (end < text.length) yield;
  }
  return new Uint8Array(resize(bytes.buffer, length + 1));
}

/** Encodes as much of a text as fits into an array. */
function encodeInto(
  text: string,
  bytes: TextBytes,
): TextEncoderEncodeIntoResult {
  if (text.isWellFormed()) return utf8Encoder.encodeInto(text, bytes);
  let length = 0;
  let at = 0;
  for (; at < text.length; at += 1) {
    const code = text.codePointAt(at)!;
    if (length + (code < 0x10000 ? 3 : 4) > bytes.length) break;
    if (code < 0x80) bytes[length++] = code;
    else {
      if (code < 0x800) bytes[length++] = 0xc0 | code >> 6;
      else {
        if (code < 0x10000) bytes[length++] = 0xe0 | code >> 12;
        else {
          bytes[length++] = 0xf0 | code >> 18;
          bytes[length++] = 0x80 | code >> 12 & 0x3f;
          // A code point above U+FFFF has two UTF-16 code units: skips the second.
          at += 1;
        }
        bytes[length++] = 0x80 | code >> 6 & 0x3f;
      }
      bytes[length++] = 0x80 | code & 0x3f;
    }
  }
  return { read: at, written: length };
}

/**
 * Decodes UTF-8; a leading byte order mark is kept. Returns `undefined` if the bytes
 * are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = utf8Decoder.decode(bytes);
  // Invalid bytes are decoded as U+FFFD. A text with U+FFFD is decoded again by the strict
  // decoder, which takes five times as long and throws for invalid bytes (Deno 2.9.6).
  if (!text.includes("\ufffd")) return text;
  try {
    return strictUtf8Decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Whether bytes are valid UTF-8. The generator pauses every 64 KiB, so that other requests
 * can be answered meanwhile.
 */
export function* isUtf8(bytes: Uint8Array): Work<boolean> {
  for (let start = 0; start < bytes.length;) {
    if (start > 0) yield;
    let end = Math.min(start + PART_LENGTH, bytes.length);
    while (end > start && isContinuation(bytes[end] ?? 0)) end -= 1;
    // A part must end before the first byte of a character. If 64 KiB have no such byte,
    // they are not UTF-8, where a character has at most four bytes.
    if (end === start || decodeUtf8(bytes.subarray(start, end)) === undefined) {
      return false;
    }
    start = end;
  }
  return true;
}

/** Whether a byte is the second, third or fourth byte of a character. */
export function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Returns the code point at an offset in bytes; `undefined` at the end of the text. */
export function readCodePoint(
  bytes: TextBytes,
  at: number,
): number | undefined {
  if (at >= bytes.length - 1) return undefined;
  const lead = bytes[at]!;
  if (lead < 0x80) return lead;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let code = lead & 0x7f >> length;
  for (let i = 1; i < length; i += 1) code = code << 6 | bytes[at + i]! & 0x3f;
  return code;
}
