/**
 * Parses untrusted JSON texts. V8 keeps short strings in a table, where those of digits
 * have their number as hash: `JSON.parse()` takes seconds for a megabyte of multiples of
 * 16,384 in quotes, and up to 100 ms for 16 KB, if others came before. Such texts, and
 * large ones, are therefore parsed without adding their strings to that table.
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

/** Longest text for `JSON.parse()`, in bytes, inclusive. */
const MAX_RUNTIME_BYTES = 32 * 1024;

/**
 * Matches a string that ends in seven digits, or has a digit that is escaped. Up to six
 * digits give too few numbers with the same hash to take long. Written out, the digits
 * are searched several at a time.
 */
const COLLIDING = /\d\d\d\d\d\d\d"|\\u003\d/;

/** Whether a text with these UTF-8 bytes is short enough for `JSON.parse()`. */
export function isShort(bytes: Uint8Array): boolean {
  return bytes.byteLength <= MAX_RUNTIME_BYTES;
}

/** Whether the strings of a text may have the same hash. */
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
    // The scan throws an error with a position; the message of `JSON.parse()` may lack
    // it, or repeat the whole text.
    runAtOnce(scanText(runAtOnce(encodeText(text))));
    throw error;
  }
}

/** The value of a text, and the object at the end of the path, if there is one. */
interface Parsed {
  readonly value: unknown;
  readonly found: ParsedObject | undefined;
}

/**
 * Parses a JSON text of any length, which must be UTF-8, with pauses. Arrays and objects come out empty,
 * except for the selected members of the outermost object and of those on the path: the
 * operations use no others.
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
    // The garbage collector would free it later.
    resize(text.buffer, 0);
  }
}

function* readWhole(text: TextBytes, selection: Selection): Work<Parsed> {
  const reader = new Reader(text, selection);
  const value = yield* reader.readOutermost();
  skipToEnd(text, reader.at);
  return { value, found: reader.found };
}
