import { formatValue } from "./format_value.ts";
import { type Bytes, freeBuffer } from "./buffer.ts";

const options = { ignoreBOM: true };
const utf8Decoder = new TextDecoder("utf-8", options);
const strictDecoder = new TextDecoder("utf-8", { ...options, fatal: true });
const utf8Encoder = new TextEncoder();

/**
 * Passes bytes, or the UTF-8 bytes of a string, to `use`, which can use them until its result,
 * or the promise that it returns, has settled. A lone surrogate becomes U+FFFD.
 */
export function withUtf8<Result>(
  data: string | Bytes,
  use: (bytes: Bytes) => Result,
): Result {
  if (typeof data !== "string") return use(data);
  const bytes = utf8Encoder.encode(data);
  const result = use(bytes);
  const free = () => freeBuffer(bytes.buffer);
  if (result instanceof Promise) result.then(free, free);
  else free();
  return result;
}

/** Removes a byte order mark (U+FEFF) at the start of UTF-8 bytes, without a copy. */
export function skipByteOrderMark(bytes: Bytes): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/** Decodes bytes that are known to be UTF-8, and keeps a byte order mark at the start. */
export function decodeValidUtf8(bytes: Uint8Array): string {
  return utf8Decoder.decode(bytes);
}

/**
 * Decodes UTF-8, and keeps a byte order mark at the start. Returns `undefined` for bytes that
 * are not valid UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const string = utf8Decoder.decode(bytes);
  // U+FFFD replaces invalid bytes, but can also be encoded by valid bytes. Only the slower
  // strict decoder distinguishes these cases.
  if (!string.includes("\ufffd")) return string;
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Describes bytes that are not valid UTF-8 for an error message. */
export function describeBytes([first, second]: Uint8Array): string {
  // By default, `>` in Windows PowerShell 5.1 writes UTF-16 with a byte order mark.
  const isUtf16 = first === 0xff && second === 0xfe ||
    first === 0xfe && second === 0xff;
  return isUtf16 ? "UTF-16 text" : "bytes that are not valid UTF-8";
}

export interface Utf8Error {
  /** A message that starts with `must`, without the offset. */
  readonly requirement: string;
  /** Offset of the first lone surrogate, in UTF-16 code units. */
  readonly offset: number;
}

/** Returns the error for a string that UTF-8 cannot encode (RFC 3629, section 3), if any. */
export function findUtf8Error(string: string): Utf8Error | undefined {
  if (string.isWellFormed()) return undefined;
  const offset = findLoneSurrogate(string);
  const got = `the lone surrogate ${formatValue(string[offset])}`;
  return { requirement: `must be well-formed Unicode, got ${got}`, offset };
}

/** Returns the offset of the first lone surrogate. The string must have one. */
function findLoneSurrogate(string: string): number {
  const wellFormed = string.toWellFormed();
  let offset = 0;
  while (string.charCodeAt(offset) === wellFormed.charCodeAt(offset)) {
    offset += 1;
  }
  return offset;
}
