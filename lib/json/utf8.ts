/**
 * JSON texts as UTF-8 bytes, which are read twice as fast as the characters of a string
 * (Deno 2.9.6).
 *
 * @module
 */

import { encodeUtf8, SCRATCH_BYTES } from "../scratch.ts";
import type { Work } from "../work.ts";
import { resize } from "./buffer.ts";

/**
 * The UTF-8 bytes of a text, and a zero byte behind its end. Every token ends at the zero
 * byte at the latest, so that nothing is read beyond the array: after such a read V8 would
 * compile slower code, for all later texts (Deno 2.9.6).
 */
export type TextBytes = Uint8Array<ArrayBuffer>;

/**
 * Length of a part between two pauses: in UTF-16 code units when a text is encoded, in
 * bytes when bytes are checked.
 */
const PART_LENGTH = 64 * 1024;

const utf8Encoder = new TextEncoder();
// `ignoreBOM` keeps a byte order mark in the text.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8Decoder = new TextDecoder("utf-8", {
  ignoreBOM: true,
  fatal: true,
});

/** Copies the UTF-8 bytes of a text, and adds a zero byte behind them. */
export function addZeroByte(bytes: Uint8Array): TextBytes {
  const text = new Uint8Array(bytes.byteLength + 1);
  text.set(bytes);
  return text;
}

/**
 * Encodes a text as UTF-8: at once if it has at most 1,048,576 UTF-16 code units and no
 * lone surrogates, any other text with pauses. UTF-8 does not allow lone surrogates; they
 * are encoded in three bytes like other code points of that size (WTF-8, section 3), so
 * that nothing is lost.
 */
export function* encodeText(text: string): Work<TextBytes> {
  if (text.length <= SCRATCH_BYTES && text.isWellFormed()) {
    return addZeroByte(encodeUtf8(text));
  }
  // Large enough for ASCII; enlarged below for other characters.
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
      // A UTF-16 code unit takes at most three bytes.
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
          // A code point above U+FFFF has two code units.
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
  // Invalid bytes decode as U+FFFD. Only a text that has one is decoded again,
  // strictly, because strict decoding takes five times as long (Deno 2.9.6).
  if (!text.includes("\ufffd")) return text;
  try {
    return strictUtf8Decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether bytes are valid UTF-8. The generator pauses every 64 KiB, so that other requests can be answered meanwhile. */
export function* isUtf8(bytes: Uint8Array): Work<boolean> {
  for (let start = 0; start < bytes.length;) {
    if (start > 0) yield;
    let end = Math.min(start + PART_LENGTH, bytes.length);
    while (end > start && isContinuation(bytes[end] ?? 0)) end -= 1;
    // A part ends where a character begins. If none begins in 64 KiB, the bytes are not
    // UTF-8, in which a character has at most four bytes.
    if (end === start || decodeUtf8(bytes.subarray(start, end)) === undefined) {
      return false;
    }
    start = end;
  }
  return true;
}

/** Whether a byte is one of a character's bytes behind the first. */
export function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Returns the code point at an offset, in bytes; `undefined` at the end of the text. */
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
