/**
 * Parses untrusted JSON texts so that a client cannot make parsing slow. V8 keeps short
 * strings in a hash table, in which all multiples of 16,384, written as strings of digits,
 * have the same hash. With many of them, `JSON.parse()` takes seconds for 1 MB, and up to
 * 100 ms for 16 KB (Deno 2.9.6). Texts that may have many of them are parsed without the
 * table.
 *
 * @module
 */

import { runAtOnce, type Work } from "../work.ts";
import { withPosition } from "./error.ts";
import { type ParsedObject, Reader, type Selection } from "./reader.ts";
import { scanText } from "./scan.ts";
import { skipToEnd } from "./tokens.ts";
import { freeBuffer } from "../buffer.ts";
import { addZeroByte, encodeText, type TextBytes } from "./utf8.ts";

/**
 * Largest size of a text that counts as short in `isShort()`, so that the runtime's
 * `JSON.parse()` may parse it, in bytes, inclusive.
 */
const MAX_RUNTIME_BYTES = 32 * 1024;

/**
 * Matches a text with a string that ends in seven digits, or has an escaped digit, such as
 * `\u0030`. There are too few multiples of 16,384 with up to six digits to do harm. `\d` is
 * repeated because V8 searches for `\d{7}` more slowly (Deno 2.9.6).
 */
const COLLIDING = /\d\d\d\d\d\d\d"|\\u003\d/;

/**
 * Whether a text with these UTF-8 bytes is so short that `JSON.parse()` is fast, unless
 * `mayCollide()` is true for the text.
 */
export function isShort(bytes: Uint8Array): boolean {
  return bytes.byteLength <= MAX_RUNTIME_BYTES;
}

/**
 * Whether a text may contain many strings of digits with the same hash, for which
 * `JSON.parse()` is slow.
 */
export function mayCollide(text: string): boolean {
  return COLLIDING.test(text);
}

/**
 * Parses a text by `JSON.parse()`. The text must be one that cannot make this slow (see
 * `mayCollide()` and `decodeSimpleJson()`).
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function parseShortJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // `scanText()` throws an error with line and column. The error of `JSON.parse()` may
    // lack them, and its message may repeat the whole text.
    runAtOnce(scanText(runAtOnce(encodeText(text))));
    throw error;
  }
}

/**
 * A parsed text: its value and, if the text has it, the object at the end of
 * `Selection.path`.
 */
interface Parsed {
  readonly value: unknown;
  readonly found: ParsedObject | undefined;
}

/**
 * Parses a JSON text of any length, with pauses. The text must be valid UTF-8. Of the
 * outermost object, and of the objects on `selection.path`, only the selected members are
 * read. All other objects, and all arrays, are returned empty.
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
    // Frees the copy of the JSON text at once, without waiting for the garbage collector.
    freeBuffer(text.buffer);
  }
}

function* readWhole(text: TextBytes, selection: Selection): Work<Parsed> {
  const reader = new Reader(text, selection);
  const value = yield* reader.readOutermost();
  skipToEnd(text, reader.at);
  return { value, found: reader.found };
}
