/**
 * Checks JSON texts (RFC 8259, strict) in one pass without recursion, and reports the
 * white space between their tokens to a handler, which formats or minifies the text.
 * No values are built; each level of nesting takes one byte of memory.
 *
 * @module
 */

import { runAtOnce, type Work } from "../work.ts";
import { JsonTextError, UnexpectedByte, withPosition } from "./error.ts";
import { skipName, skipScalar, skipToEnd, skipWhiteSpace } from "./tokens.ts";
import { freeBuffer, resize } from "../buffer.ts";
import { encodeText, type TextBytes } from "./utf8.ts";

/**
 * A handler that is called for each piece of white space before, between and after the
 * tokens of a text. It gets the start and end offset of the piece, in bytes; they are equal
 * where the text has no white space.
 */
export interface WhiteSpaceHandler {
  /** Whether the scan should pause, because the handler has written enough for now. */
  readonly isFull: boolean;
  /** Removes the white space, at a position where formatted text has none. */
  remove(start: number, end: number): void;
  /** Replaces the white space by one space in formatted text; removes it in minified text. */
  replaceBySpace(start: number, end: number): void;
  /**
   * Replaces the white space by a line break and indentation in formatted text; removes it
   * in minified text.
   *
   * @param depth Level of the indentation: the number of arrays and objects that are still
   * open on the new line. An array or object that the new line closes does not count.
   */
  replaceByLineBreak(start: number, end: number, depth: number): void;
}

const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Returns the error message for an invalid text, with line and column;
 * `undefined` for valid JSON.
 */
export function findJsonError(text: string): string | undefined {
  return runAtOnce(scanForError(text));
}

/** Like `findJsonError()`, but a generator that pauses. */
export function* scanForError(text: string): Work<string | undefined> {
  const bytes = yield* encodeText(text);
  try {
    yield* scanText(bytes);
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    throw error;
  } finally {
    // Frees the copy of the JSON text at once, without waiting for the garbage collector.
    freeBuffer(bytes.buffer);
  }
}

/**
 * Checks a whole text, with pauses, and reports its white space to `handler`, if given.
 *
 * @throws {JsonTextError} for the first character that cannot continue a JSON text.
 */
export function scanText(
  text: TextBytes,
  handler?: WhiteSpaceHandler,
): Work<void> {
  return withPosition(text, scanWhole(text, handler));
}

function* scanWhole(
  text: TextBytes,
  handler: WhiteSpaceHandler | undefined,
): Work<void> {
  const start = skipWhiteSpace(text, 0);
  handler?.remove(0, start);
  const scan = new Scan(text, start, handler);
  while (!scan.resume()) yield;
  const end = skipToEnd(text, scan.at);
  handler?.remove(scan.at, end);
}

/**
 * Number of bytes that are scanned between two pauses, which takes about 0.1 ms (Deno
 * 2.9.6).
 */
export const PAUSE_LENGTH = 64 * 1024;

/** Length of text between two checks of `WhiteSpaceHandler.isFull`, in bytes. */
const CHECK_INTERVAL = 64;

/** Depth of nesting for which a scan allocates memory before it starts. */
const FIRST_DEPTH = 64;

/** A check of one JSON value, the outermost or a nested one, that can pause and continue. */
export class Scan {
  readonly #text: TextBytes;
  readonly #handler: WhiteSpaceHandler | undefined;
  /**
   * The closing bracket or brace of each open array or object, the outermost first. A
   * JavaScript array would leave an old copy to the garbage collector whenever it grows;
   * this `Uint8Array` does not.
   */
  #closers = new Uint8Array(FIRST_DEPTH);
  #depth = 0;
  #at: number;
  /** Whether a value begins at the current offset; false if a value has ended there. */
  #isValueNext = true;

  /** @param start Offset of the value, in bytes. */
  constructor(text: TextBytes, start: number, handler?: WhiteSpaceHandler) {
    this.#text = text;
    this.#at = start;
    this.#handler = handler;
  }

  /** Offset of the next byte to scan; after the scan, the offset after the value. */
  get at(): number {
    return this.#at;
  }

  /**
   * Continues the scan. Returns true at the end of the value, false at a pause: the
   * handler is full, or 64 KiB have been scanned.
   *
   * @throws {UnexpectedByte} for the first character that cannot continue a JSON
   * text.
   */
  resume(): boolean {
    // The loop uses local variables, since reading fields takes longer (Deno 2.9.6).
    const text = this.#text;
    const handler = this.#handler;
    let closers = this.#closers;
    let depth = this.#depth;
    let closer = depth === 0 ? 0 : closers[depth - 1]!;
    let at = this.#at;
    let isValueNext = this.#isValueNext;
    let checkAt = at + CHECK_INTERVAL;
    const pauseAt = at + PAUSE_LENGTH;

    for (;;) {
      if (at >= checkAt) {
        if (handler?.isFull || at >= pauseAt) {
          this.#at = at;
          this.#depth = depth;
          this.#isValueNext = isValueNext;
          return false;
        }
        checkAt = at + CHECK_INTERVAL;
      }
      if (isValueNext) {
        const opener = text[at]!;
        if (opener !== OPEN_BRACE && opener !== OPEN_BRACKET) {
          at = skipScalar(text, at);
        } else {
          const gap = at + 1;
          closer = opener === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
          if (depth === closers.length) closers = this.#deepen();
          closers[depth] = closer;
          depth += 1;
          at = skipWhiteSpace(text, gap);
          if (text[at] !== closer) {
            handler?.replaceByLineBreak(gap, at, depth);
            if (closer === CLOSE_BRACE) {
              at = skipColon(text, skipName(text, at), handler);
            }
            continue;
          }
          handler?.remove(gap, at);
          at += 1;
          depth -= 1;
          closer = depth === 0 ? 0 : closers[depth - 1]!;
        }
        isValueNext = false;
      }

      if (closer === 0) {
        this.#at = at;
        return true;
      }
      const gap = at;
      at = skipWhiteSpace(text, gap);
      const code = text[at]!;
      if (code === COMMA) {
        handler?.remove(gap, at);
        const next = at + 1;
        at = skipWhiteSpace(text, next);
        handler?.replaceByLineBreak(next, at, depth);
        if (closer === CLOSE_BRACE) {
          at = skipColon(text, skipName(text, at), handler);
        }
        isValueNext = true;
      } else if (code === closer) {
        depth -= 1;
        closer = depth === 0 ? 0 : closers[depth - 1]!;
        handler?.replaceByLineBreak(gap, at, depth);
        at += 1;
      } else {
        const expected = `"," or "${String.fromCharCode(closer)}"`;
        throw new UnexpectedByte(at, expected);
      }
    }
  }

  /** Enlarges the array of closing characters to twice its length. */
  #deepen(): Uint8Array<ArrayBuffer> {
    const { buffer, byteLength } = this.#closers;
    return this.#closers = new Uint8Array(resize(buffer, 2 * byteLength));
  }
}

/** Skips the colon after a member's name, and returns the offset of the value. */
export function skipColon(
  text: TextBytes,
  nameEnd: number,
  handler?: WhiteSpaceHandler,
): number {
  const colon = skipWhiteSpace(text, nameEnd);
  if (text[colon] !== COLON) throw new UnexpectedByte(colon, '":"');
  handler?.remove(nameEnd, colon);
  const value = skipWhiteSpace(text, colon + 1);
  handler?.replaceBySpace(colon + 1, value);
  return value;
}
