/**
 * Validates and rewrites strict JSON (RFC 8259) in one pass, without recursing or creating values.
 *
 * @module
 */

import type { Bytes } from "../buffer.ts";
import { decodeValidUtf8 } from "../utf8.ts";
import { createTextError } from "./error.ts";

const SPACE = 0x20;
const LINE_FEED = 0x0a;
export const DOUBLE_QUOTE = 0x22;
const PLUS = 0x2b;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const DIGIT_0 = 0x30;
const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
export const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Distance in ASCII from `[` to `]`, and from `{` to `}`. */
const TO_CLOSER = 2;

export const WHITESPACE = createTable(" \t\n\r");
const DIGITS = createTable("0123456789");
const HEX_DIGITS = createTable("0123456789abcdefABCDEF");
const QUOTED = createTable('"\\');
const NONE = createTable("");
/** The bytes that can follow a backslash. */
const ESCAPED = createTable('"\\/bfnrtu');
/** The bytes that a string can contain unescaped: all but `"`, `\`, and control characters. */
const PLAIN = QUOTED.map((isQuoted) => 1 - isQuoted).fill(0, 0, SPACE);

/** Creates a table, indexed by byte, that contains 1 for these ASCII characters and 0 otherwise. */
function createTable(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/**
 * UTF-8 followed by a zero byte, which stops every loop over the bytes of a token. Otherwise,
 * reading past the end of the array would make V8 compile slower code for all later documents.
 */
export type TerminatedBytes = Bytes;

/** Adds a zero byte. Copies the bytes only if their buffer doesn't have one after them. */
export function terminate(bytes: Bytes): TerminatedBytes {
  const { buffer, byteOffset, length } = bytes;
  if (new Uint8Array(buffer)[byteOffset + length] === 0) {
    return new Uint8Array(buffer, byteOffset, length + 1);
  }
  const copy = new Uint8Array(length + 1);
  copy.set(bytes);
  return copy;
}

export interface OutputOptions {
  /** Spaces per nesting level. 0 minifies. */
  readonly indent: number;
  /** Maximum size of the output before escaping, in bytes. A longer output is only measured. */
  readonly maxBytes: number;
  /** Whether to escape the document so that it can be embedded in a JSON string. */
  readonly escapes: boolean;
}

const NO_OUTPUT: OutputOptions = { indent: 0, maxBytes: 0, escapes: false };

/** Initial size of the output, in bytes per byte of the document. Few outputs need more. */
const OUTPUT_FACTOR = 3;

/** Size of a step, in bytes of the document. */
const STEP_BYTES = 128 * 1024;

/** How much of a value has been skipped. */
class Progress {
  level = 0;
  /** The bracket or brace that closes the array or object at each level. */
  readonly closers = [0];

  constructor(public at: number) {}
}

/** A long task that is divided into steps, so that other requests can run in between. */
export type Steps<T> = Generator<void, T>;

/** Runs all steps of a task at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Scans a document token by token. Each `skip` method accepts the byte offset of what it skips,
 * and returns the offset after it. All public methods except `skipGap()` throw a `JsonTextError`
 * if the document isn't JSON.
 */
export class Scan {
  /** Length of the minified or formatted document before escaping, in bytes. */
  byteLength = 0;
  #output: Bytes;
  #outputLength = 0;
  /** Offset after the last byte of `text` that has been written. */
  #written = 0;

  constructor(
    readonly text: TerminatedBytes,
    readonly options: OutputOptions = NO_OUTPUT,
  ) {
    const factor = options.maxBytes === 0 ? 0 : OUTPUT_FACTOR;
    this.#output = new Uint8Array(factor * text.length);
  }

  /** The minified or formatted document. It is incomplete if it would exceed `maxBytes`. */
  get output(): Bytes {
    return this.#output.subarray(0, this.#outputLength);
  }

  #fail(at: number, expected: string): never {
    const text = decodeValidUtf8(this.text.subarray(0, -1));
    const { length } = decodeValidUtf8(this.text.subarray(0, at));
    throw createTextError(text, length, expected);
  }

  /** Enlarges the output. Returns `false` if the output would exceed `maxBytes`. */
  #enlarge(length: number): boolean {
    if (this.byteLength > this.options.maxBytes) return false;
    const larger = new Uint8Array(2 * length);
    larger.set(this.output);
    this.#output = larger;
    return true;
  }

  /** Writes the text up to an offset, then line breaks, then spaces. */
  #write(end: number, lineBreaks = 0, spaces = 0): void {
    const { escapes } = this.options;
    const start = this.#written;
    const length = end - start + lineBreaks;
    this.#written = end;
    this.byteLength += length + spaces;
    let at = this.#outputLength;
    const maxEnd = at + (escapes ? 2 * length : length) + spaces;
    if (maxEnd > this.#output.length && !this.#enlarge(maxEnd)) return;
    const output = this.#output;
    at = copy(this.text, start, end, output, at, escapes ? QUOTED : NONE);
    if (lineBreaks > 0) {
      if (escapes) {
        output[at] = BACKSLASH;
        output[at + 1] = LOWER_N;
        at += 2;
      } else {
        output[at] = LINE_FEED;
        at += 1;
      }
    }
    writeSpaces(output, at, at + spaces);
    this.#outputLength = at + spaces;
  }

  /** When formatting, writes the text up to an offset, a newline, and the indentation. */
  #breakLine(end: number, level: number): void {
    const { indent } = this.options;
    if (indent > 0) this.#write(end, 1, indent * level);
  }

  /** Skips whitespace without writing it. */
  skipGap(at: number): number {
    if (this.text[at]! > SPACE) return at;
    this.#write(at);
    this.#written = skipBytes(this.text, at, WHITESPACE);
    return this.#written;
  }

  /** Checks that nothing but whitespace follows. */
  skipToEnd(at: number): void {
    at = this.skipGap(at);
    if (at < this.text.length - 1) this.#fail(at, "the end of the text");
    this.#write(at);
  }

  *skipDocument(): Steps<void> {
    const progress = new Progress(this.skipGap(0));
    while (!this.#skipStep(progress)) yield;
    this.skipToEnd(progress.at);
  }

  /** Skips a value, including the values in it. */
  skipValue(at: number): number {
    const progress = new Progress(at);
    while (!this.#skipStep(progress)) continue;
    return progress.at;
  }

  /** Continues to skip a value. Returns whether it has reached the end of the value. */
  #skipStep(progress: Progress): boolean {
    const { text } = this;
    const { closers } = progress;
    let { at, level } = progress;
    let closer = closers[level]!;
    const stepEnd = at + STEP_BYTES;
    while (at < stepEnd) {
      // A value starts here. In an object, its name and a colon come first.
      if (closer === CLOSE_BRACE) at = this.skipColon(this.skipName(at));
      const code = text[at]!;
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        at = this.skipGap(at + 1);
        if (text[at] !== code + TO_CLOSER) {
          closer = code + TO_CLOSER;
          level += 1;
          closers[level] = closer;
          this.#breakLine(at, level);
          continue;
        }
        at += 1;
      } else at = this.#skipScalar(at);

      // The value ends here. Skips closing brackets and braces up to a comma or the end.
      for (;;) {
        if (level === 0) {
          progress.at = at;
          return true;
        }
        at = this.skipGap(at);
        if (text[at] === COMMA) break;
        this.checkCloser(at, closer);
        level -= 1;
        this.#breakLine(at, level);
        at += 1;
        closer = closers[level]!;
      }
      at = this.skipGap(at + 1);
      this.#breakLine(at, level);
    }
    progress.at = at;
    progress.level = level;
    return false;
  }

  /** Throws unless `closer` is at an offset, where the caller has found no comma. */
  checkCloser(at: number, closer: number): void {
    if (this.text[at] === closer) return;
    this.#fail(at, `"," or "${String.fromCharCode(closer)}"`);
  }

  skipName(at: number): number {
    if (this.text[at] === DOUBLE_QUOTE) return this.#skipString(at);
    this.#fail(at, "a name in double quotes");
  }

  /** Skips a colon and the whitespace around it. */
  skipColon(at: number): number {
    at = this.skipGap(at);
    if (this.text[at] !== COLON) this.#fail(at, '":"');
    at = this.skipGap(at + 1);
    if (this.options.indent > 0) this.#write(at, 0, 1);
    return at;
  }

  /** Skips a string, a number, `true`, `false`, or `null`. */
  #skipScalar(at: number): number {
    const code = this.text[at]!;
    if (code === DOUBLE_QUOTE) return this.#skipString(at);
    if (code === MINUS || DIGITS[code] !== 0) return this.#skipNumber(at);
    if (code === LOWER_T) return this.#skipWord(at, "true");
    if (code === LOWER_F) return this.#skipWord(at, "false");
    if (code === LOWER_N) return this.#skipWord(at, "null");
    this.#fail(at, "a JSON value");
  }

  #skipWord(at: number, word: string): number {
    for (let i = 0; i < word.length; i += 1) {
      if (this.text[at + i] !== word.charCodeAt(i)) {
        this.#fail(at + i, `"${word}"`);
      }
    }
    return at + word.length;
  }

  /** Skips a number (RFC 8259, section 6). */
  #skipNumber(at: number): number {
    const { text } = this;
    if (text[at] === MINUS) at += 1;
    if (text[at] === DIGIT_0) at += 1;
    else at = this.#skipDigits(at);
    if (text[at] === DOT) at = this.#skipDigits(at + 1);
    if ((text[at]! | 0x20) === LOWER_E) {
      const sign = text[at + 1]!;
      at = this.#skipDigits(sign === PLUS || sign === MINUS ? at + 2 : at + 1);
    }
    return at;
  }

  #skipDigits(at: number): number {
    const end = skipBytes(this.text, at, DIGITS);
    if (end === at) this.#fail(at, "a digit");
    return end;
  }

  /** Skips a string (RFC 8259, section 7). */
  #skipString(at: number): number {
    const { text } = this;
    at = skipBytes(text, at + 1, PLAIN);
    while (text[at] !== DOUBLE_QUOTE) {
      at = skipBytes(text, this.#skipEscape(at), PLAIN);
    }
    return at + 1;
  }

  #skipEscape(at: number): number {
    const { text } = this;
    if (text[at] !== BACKSLASH) {
      const isEnd = at === text.length - 1;
      if (isEnd) this.#fail(at, "a closing double quote");
      this.#fail(at, "control characters to be escaped");
    }
    const letter = text[at + 1]!;
    if (ESCAPED[letter] === 0) {
      this.#fail(at + 1, 'one of "\\/bfnrtu after the backslash');
    }
    if (letter !== LOWER_U) return at + 2;
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      if (HEX_DIGITS[text[digit]!] !== 0) continue;
      this.#fail(digit, "four hexadecimal digits after \\u");
    }
    return at + 6;
  }
}

// These loops are separate functions, because V8 optimizes functions without calls better.

/** Skips the bytes that are in a table. */
export function skipBytes(text: Bytes, at: number, table: Uint8Array): number {
  while (table[text[at]!] !== 0) at += 1;
  return at;
}

/**
 * Copies bytes to an offset in the output, with a backslash before each byte in `escaped`.
 * Returns the offset after the last byte written.
 */
function copy(
  text: Bytes,
  start: number,
  end: number,
  output: Bytes,
  outputAt: number,
  escaped: Uint8Array,
): number {
  for (let at = start; at < end; at += 1) {
    const code = text[at]!;
    // Always writes a backslash, to avoid a branch that the CPU would often mispredict.
    output[outputAt] = BACKSLASH;
    outputAt += escaped[code]!;
    output[outputAt] = code;
    outputAt += 1;
  }
  return outputAt;
}

function writeSpaces(output: Bytes, start: number, end: number): void {
  for (let at = start; at < end; at += 1) output[at] = SPACE;
}
