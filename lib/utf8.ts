import { formatValue } from "./format_value.ts";
import type { Bytes } from "./buffer.ts";

const options = { ignoreBOM: true };
const utf8Decoder = new TextDecoder("utf-8", options);
const strictDecoder = new TextDecoder("utf-8", { ...options, fatal: true });
const utf8Encoder = new TextEncoder();

/** Encodes a string as UTF-8. Lone surrogates become U+FFFD. Returns bytes unchanged. */
export function toUtf8(data: string | Bytes): Bytes {
  return typeof data === "string" ? utf8Encoder.encode(data) : data;
}

/** Removes a leading byte order mark (U+FEFF) from UTF-8 bytes without copying them. */
export function skipByteOrderMark(bytes: Bytes): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/** Decodes bytes that are known to be valid UTF-8. Keeps a byte order mark. */
export function decodeValidUtf8(bytes: Uint8Array): string {
  return utf8Decoder.decode(bytes);
}

/** Decodes UTF-8, and keeps a byte order mark. Returns `undefined` for invalid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const string = utf8Decoder.decode(bytes);
  // Only the slower strict decoder distinguishes invalid bytes from an encoded U+FFFD.
  if (!string.includes("\ufffd")) return string;
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

export function describeBytes([first, second]: Uint8Array): string {
  // In Windows PowerShell 5.1, `>` writes UTF-16 with a byte order mark by default.
  const isUtf16 = first === 0xff && second === 0xfe ||
    first === 0xfe && second === 0xff;
  return isUtf16 ? "UTF-16 text" : "bytes that are not valid UTF-8";
}

export interface Utf8Error {
  /** A message that starts with `must` and doesn't contain the offset. */
  readonly requirement: string;
  /** Offset of the first lone surrogate, in UTF-16 code units. */
  readonly offset: number;
}

/** Returns an error if the string contains a lone surrogate (RFC 3629, section 3). */
export function findUtf8Error(string: string): Utf8Error | undefined {
  if (string.isWellFormed()) return undefined;
  // In Unicode mode, this class matches only lone surrogates.
  const offset = string.search(/\p{Surrogate}/u);
  const got = `the lone surrogate ${formatValue(string[offset])}`;
  return { requirement: `must be well-formed Unicode, got ${got}`, offset };
}
