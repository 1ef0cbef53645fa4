/**
 * Reads a long string at a guessed end, which `JSON.parse()` always verifies: it accepts the
 * bytes from the first quote to the guessed one only if they are one whole string. A wrong
 * guess costs time, but changes no result. Without a guess, the scanner would have to find
 * the end first, and takes longer than `JSON.parse()` itself.
 *
 * @module
 */

import { decodeValidUtf8 } from "../utf8.ts";
import { BACKSLASH, DOUBLE_QUOTE } from "./scan.ts";
import type { TerminatedText } from "./terminated_text.ts";

/** Number of bytes after the first quote in which `isLong()` looks for another. */
const MIN_LONG_BYTES = 256;

/** Number of bytes at the end of a text in which `guessEnd()` looks for a quote. */
const MAX_TAIL_BYTES = 1024;

/** Shortest part that `parseParts()` parses, except the last part, in bytes. */
const PART_BYTES = 64 * 1024;

/** A string that `readLongString()` has read. */
export interface LongString {
  readonly value: string;
  /** Offset after the last quote, in bytes. */
  readonly end: number;
}

/**
 * Whether a string that begins at an offset counts as long: in the 256 bytes after its
 * first quote there is none, or the first one there follows a backslash.
 */
export function isLong(text: TerminatedText, start: number): boolean {
  const quote = findQuote(text, start + 1);
  return quote === -1 || text[quote - 1] === BACKSLASH;
}

/**
 * Reads a string that counts as long. Returns `undefined` if the string is not valid, or
 * the guess of its end is wrong. Takes time in proportion to the rest of the text in any
 * case, so it must not be called again and again for the same text.
 *
 * @param start Offset of the first quote.
 */
export function readLongString(
  text: TerminatedText,
  start: number,
): LongString | undefined {
  const quote = guessEnd(text);
  if (quote <= start) return undefined;
  const end = quote + 1;
  try {
    // The first quote in a string that counts as long is escaped.
    const hasEscapes = findQuote(text, start + 1) !== -1;
    const value = hasEscapes
      ? parseParts(text, start + 1, quote)
      : JSON.parse(decodeValidUtf8(text.subarray(start, end)));
    return { value, end };
  } catch {
    return undefined;
  }
}

/** Returns the offset of the first quote among 256 bytes, or -1 if there is none. */
function findQuote(text: TerminatedText, start: number): number {
  const index = text.subarray(start, start + MIN_LONG_BYTES)
    .indexOf(DOUBLE_QUOTE);
  return index === -1 ? -1 : start + index;
}

/**
 * Guesses the offset of the closing quote of a long string. Among the last 1,024 bytes of
 * the text, this is the first quote after the last escaped quote or, if no quote is
 * escaped, the first quote. Returns -1 if there is no such quote. The guess may be wrong,
 * for instance if another string with an escaped quote follows.
 */
function guessEnd(text: TerminatedText): number {
  let end = -1;
  const first = Math.max(1, text.length - MAX_TAIL_BYTES);
  for (let at = text.length - 1; at >= first; at -= 1) {
    if (text[at] !== DOUBLE_QUOTE) continue;
    if (text[at - 1] === BACKSLASH) break;
    end = at;
  }
  return end;
}

/**
 * Parses the content of a string in parts, so that as a rule no second copy of the whole
 * content is in memory. A part ends before the first backslash after its first 64 KiB. If
 * there is no such backslash, or if this backslash follows another one and may not begin
 * an escape sequence, the rest of the content is one part. `JSON.parse()` accepts no part
 * with a quote that is not escaped.
 */
function parseParts(text: TerminatedText, start: number, end: number): string {
  let value = "";
  while (start < end) {
    let next = text.indexOf(BACKSLASH, start + PART_BYTES);
    if (next === -1 || next > end || text[next - 1] === BACKSLASH) next = end;
    const part = decodeValidUtf8(text.subarray(start, next));
    value += JSON.parse(`"${part}"`);
    start = next;
  }
  return value;
}
