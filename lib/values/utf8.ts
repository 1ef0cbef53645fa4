/** Converts between texts and UTF-8 bytes without losing anything. */

import { formatValue } from "./format_value.ts";
import type { Bytes } from "./buffer.ts";

const options = { ignoreBOM: true };
const utf8Decoder = new TextDecoder("utf-8", options);
const strictDecoder = new TextDecoder("utf-8", { ...options, fatal: true });

/** Removes a byte order mark (U+FEFF) at the start of UTF-8 bytes, without a copy. */
export function skipByteOrderMark(
  bytes: Bytes,
): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/**
 * Decodes UTF-8, and keeps a byte order mark at the start. Returns `undefined` for bytes that
 * are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = utf8Decoder.decode(bytes);
  // The decoder replaces wrong bytes by U+FFFD. A text with this character may also have it
  // rightly, which only the strict decoder, a slow one, tells.
  if (!text.includes("\ufffd")) return text;
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a description of bytes that are not UTF-8, for an error message. */
export function describeBytes([first, second]: Uint8Array): string {
  // A byte order mark of UTF-16, in which Windows PowerShell 5.1 writes files.
  const isUtf16 = first === 0xff && second === 0xfe ||
    first === 0xfe && second === 0xff;
  return isUtf16 ? "UTF-16 text" : "bytes that are not UTF-8 text";
}

/**
 * Returns the error for a text with a lone surrogate, which UTF-8 cannot encode (RFC 3629,
 * section 3), to be written after the name of the text; `undefined` for any other text.
 */
export function describeUtf8Error(text: string): string | undefined {
  if (text.isWellFormed()) return undefined;
  const offset = findLoneSurrogate(text);
  const got = `the lone surrogate ${formatValue(text[offset])}`;
  return `must be text that UTF-8 can encode, got ${got} at offset ${offset}`;
}

/**
 * Length of the parts in which `findLoneSurrogate()` searches a text, in UTF-16 code units.
 */
const PART_LENGTH = 16 * 1024;

/**
 * Returns the offset of the first lone surrogate, in UTF-16 code units. The text must have
 * one.
 */
function findLoneSurrogate(text: string): number {
  for (let start = 0;;) {
    let end = start + PART_LENGTH;
    // A part must not end between the two halves of a surrogate pair.
    if (text.codePointAt(end - 1)! > 0xffff) end += 1;
    const part = text.slice(start, end);
    // `search()` is slow: only the part that has the lone surrogate is searched.
    if (!part.isWellFormed()) return start + part.search(/\p{Surrogate}/u);
    start = end;
  }
}
