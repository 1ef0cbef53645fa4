/**
 * Parses untrusted JSON texts in a time that their content cannot prolong. V8 keeps short
 * strings in a hash table; the hash of a string of digits is its number, and multiples of
 * 16,384 collide. `JSON.parse()` therefore takes seconds for a megabyte of such strings,
 * and up to 100 ms for 16 KB if the table already contains many (Deno 2.9.6). Texts that
 * may contain them, and large texts, are parsed without adding their strings to the table.
 *
 * @module
 */

import { runAtOnce, type Work } from "../work.ts";
import { withPosition } from "./error.ts";
import { type ParsedObject, Reader, type Selection } from "./reader.ts";
import { scanText } from "./scan.ts";
import { skipToEnd } from "./tokens.ts";
import { resize } from "./buffer.ts";
import { addZeroByte, encodeText, type TextBytes } from "./utf8.ts";

/** Longest text that is parsed by `JSON.parse()`, in bytes, inclusive. */
const MAX_RUNTIME_BYTES = 32 * 1024;

/**
 * Matches a text with a string that ends in seven digits, or contains an escaped digit.
 * Shorter numbers are harmless, since too few of them have the same hash. `\d` is repeated
 * because V8 searches for `\d{7}` more slowly (Deno 2.9.6).
 */
const COLLIDING = /\d\d\d\d\d\d\d"|\\u003\d/;

/** Whether a text with these UTF-8 bytes is short enough for `JSON.parse()`. */
export function isShort(bytes: Uint8Array): boolean {
  return bytes.byteLength <= MAX_RUNTIME_BYTES;
}

/** Whether a text may contain many strings of digits with the same hash, for which `JSON.parse()` is slow. */
export function mayCollide(text: string): boolean {
  return COLLIDING.test(text);
}

/**
 * Parses a text for which `isShort()` is true and `mayCollide()` is false.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function parseShortJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The text is read again by `scanText()`, whose error has line and column. The error
    // of `JSON.parse()` may lack them, and its message may repeat the whole text.
    runAtOnce(scanText(runAtOnce(encodeText(text))));
    throw error;
  }
}

/** The value of a text and, if the text has it, the object at the end of `Selection.path`. */
interface Parsed {
  readonly value: unknown;
  readonly found: ParsedObject | undefined;
}

/**
 * Parses a JSON text of any length, which must be valid UTF-8, with pauses. Only the
 * members that `selection` names are read. Arrays are returned empty. So are objects,
 * except the outermost object and the objects on `selection.path`.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function* parseSelected(
  bytes: Uint8Array,
  selection: Selection,
): Work<Parsed> {
  const text = addZeroByte(bytes);
  try {
    return yield* withPosition(text, readWhole(text, selection));
  } finally {
    // Frees the copy of the text now instead of at the next garbage collection.
    resize(text.buffer, 0);
  }
}

function* readWhole(text: TextBytes, selection: Selection): Work<Parsed> {
  const reader = new Reader(text, selection);
  const value = yield* reader.readOutermost();
  skipToEnd(text, reader.at);
  return { value, found: reader.found };
}
