/**
 * Decodes UTF-8, and describes bytes that are not UTF-8 and texts that UTF-8 cannot encode.
 */

import { formatValue } from "./format_value.ts";
import { type Bytes, freeBuffer } from "./buffer.ts";

const options = { ignoreBOM: true };
const utf8Decoder = new TextDecoder("utf-8", options);
const strictDecoder = new TextDecoder("utf-8", { ...options, fatal: true });
const utf8Encoder = new TextEncoder();

/**
 * Encodes a string as UTF-8 and passes the bytes to `use`, which can use them until its
 * result, or the promise that it returns, has settled. A lone surrogate becomes U+FFFD.
 */
export function withUtf8<Result>(
  text: string,
  use: (bytes: Bytes) => Result,
): Result {
  const bytes = utf8Encoder.encode(text);
  const result = use(bytes);
  const free = () => freeBuffer(bytes.buffer);
  // The garbage collector would free large strings late.
  if (result instanceof Promise) result.then(free, free);
  else free();
  return result;
}

/** Removes a byte order mark (U+FEFF) at the start of UTF-8 bytes, without a copy. */
export function skipByteOrderMark(
  bytes: Bytes,
): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/** Decodes bytes that are known to be UTF-8, and keeps a byte order mark at the start. */
export function decodeValidUtf8(bytes: Uint8Array): string {
  return utf8Decoder.decode(bytes);
}

/**
 * Decodes UTF-8, and keeps a byte order mark at the start. Returns `undefined` for bytes
 * that are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = utf8Decoder.decode(bytes);
  // U+FFFD replaces invalid bytes, but valid bytes may encode U+FFFD, too. Only the strict
  // decoder, which is slower, tells these cases apart.
  if (!text.includes("\ufffd")) return text;
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Describes bytes that are not UTF-8 for an error message: as UTF-16 text if they begin
 * with its byte order mark.
 */
export function describeBytes([first, second]: Uint8Array): string {
  // By default, `>` in Windows PowerShell 5.1 writes UTF-16 with a byte order mark.
  const isUtf16 = first === 0xff && second === 0xfe ||
    first === 0xfe && second === 0xff;
  return isUtf16 ? "UTF-16 text" : "bytes that are not UTF-8 text";
}

/** Why UTF-8 cannot encode a string. */
export interface Utf8Error {
  /** A message that starts with `must`, without the offset. */
  readonly requirement: string;
  /** Offset of the first lone surrogate, in UTF-16 code units. */
  readonly offset: number;
}

/**
 * Returns the error for a string with a lone surrogate, which UTF-8 cannot encode (RFC 3629,
 * section 3), or `undefined` for any other string.
 */
export function findUtf8Error(text: string): Utf8Error | undefined {
  if (text.isWellFormed()) return undefined;
  const offset = findLoneSurrogate(text);
  const got = `the lone surrogate ${formatValue(text[offset])}`;
  return {
    requirement: `must be text that UTF-8 can encode, got ${got}`,
    offset,
  };
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
    // `search()` is slow: it is called only for the part in which `isWellFormed()` has
    // found the lone surrogate.
    if (!part.isWellFormed()) return start + part.search(/\p{Surrogate}/u);
    start = end;
  }
}
