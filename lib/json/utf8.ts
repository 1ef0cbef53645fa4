/**
 * The form in which JSON texts are scanned: UTF-8 bytes, since they are read twice as
 * fast as the code units of a string.
 *
 * @module
 */

import type { Work } from "../work.ts";
import { resize } from "./buffer.ts";

/**
 * The UTF-8 bytes of a text, with a zero byte behind the end. Each token ends there at
 * the latest: a read behind the end of an array would make V8 compile slower code, for
 * all later texts.
 */
export type TextBytes = Uint8Array<ArrayBuffer>;

/** Length of a text that is encoded or checked between two pauses, in code units or bytes. */
const PART_LENGTH = 64 * 1024;

const utf8Encoder = new TextEncoder();
// `ignoreBOM` keeps a byte order mark in the text.
const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8Decoder = new TextDecoder("utf-8", {
  ignoreBOM: true,
  fatal: true,
});

/** Copies the UTF-8 bytes of a text, and adds the zero byte. */
export function addZeroByte(bytes: Uint8Array): TextBytes {
  const text = new Uint8Array(bytes.byteLength + 1);
  text.set(bytes);
  return text;
}

/**
 * Encodes a text without loss, with pauses: a lone surrogate has the three bytes that
 * UTF-8 would use if it allowed surrogates (WTF-8, section 3).
 */
export function* encodeText(text: string): Work<TextBytes> {
  // Enough for ASCII.
  let bytes = new Uint8Array(text.length + 1);
  let length = 0;
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PART_LENGTH, text.length);
    // A surrogate pair must not be divided.
    if (text.codePointAt(end - 1)! > 0xffff) end += 1;
    const part = text.slice(start, end);
    const { read, written } = encodeInto(part, bytes.subarray(length, -1));
    start += read;
    length += written;
    if (read < part.length) {
      // A code unit has at most three bytes.
      const capacity = length + 3 * (text.length - start) + 1;
      bytes = new Uint8Array(resize(bytes.buffer, capacity));
    } else if (end < text.length) yield;
  }
  return new Uint8Array(resize(bytes.buffer, length + 1));
}

/** Encodes as much of a text as there is room for. */
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
          // The code point has two code units.
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
  // strictly, because strict decoding takes five times as long.
  if (!text.includes("\ufffd")) return text;
  try {
    return strictUtf8Decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether bytes are UTF-8; checked with pauses. */
export function* isUtf8(bytes: Uint8Array): Work<boolean> {
  for (let start = 0; start < bytes.length;) {
    if (start > 0) yield;
    let end = Math.min(start + PART_LENGTH, bytes.length);
    while (end > start && isContinuation(bytes[end] ?? 0)) end -= 1;
    // A part of continuations alone is not UTF-8.
    if (end === start || decodeUtf8(bytes.subarray(start, end)) === undefined) {
      return false;
    }
    start = end;
  }
  return true;
}

/** Whether a byte is one behind the first of a character. */
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
