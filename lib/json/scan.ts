/**
 * Checks JSON documents (RFC 8259, strict) in one pass, without recursion and without building
 * values. The same pass writes the formatted or minified document.
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

/** The distance in ASCII from `[` to `]`, and from `{` to `}`. */
const TO_CLOSER = 2;

/** Has 1 for each byte of whitespace (RFC 8259, section 2); 0 for other bytes. */
const WHITESPACE = createTable(" \t\n\r");
const DIGITS = createTable("0123456789");
const HEX_DIGITS = createTable("0123456789abcdefABCDEF");
/** Has 1 for each byte before which a JSON string has a backslash. */
const QUOTED = createTable('"\\');
const NONE = createTable("");
/** Has 1 for each byte that may follow a backslash. */
const ESCAPED = createTable('"\\/bfnrtu');

/**
 * Has 1 for each byte that is special in a string: `"`, `\`, control characters, and the
 * zero byte at the end of the text.
 */
const SPECIAL = createTable('"\\').fill(1, 0, SPACE);

/**
 * Creates a table, indexed by a byte, that has 1 for the given ASCII characters, and 0 for
 * other bytes.
 */
function createTable(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/**
 * UTF-8 bytes followed by a zero byte, at which a loop over the bytes of a token ends at the
 * latest. A read beyond the end of an array would make V8 compile slower code for all later
 * documents.
 */
export type TerminatedBytes = Bytes;

/** What a scan writes. */
export interface Output {
  /** Receives the minified or formatted document, as far as it fits. */
  readonly bytes: Bytes;
  /** Spaces for each level of nesting; 0 removes all whitespace between tokens. */
  readonly indent: number;
  /** Whether the document is written as the content of a JSON string, with escapes. */
  readonly escapes: boolean;
}

const NO_OUTPUT: Output = {
  bytes: new Uint8Array(),
  indent: 0,
  escapes: false,
};

/**
 * Scans one document part by part. Every public method takes an offset in bytes. A method
 * that skips a part returns the offset after it, except `skipToEnd()`. All methods except
 * `skipGap()` throw a `JsonTextError` where the document is not JSON.
 */
export class Scan {
  readonly text: TerminatedBytes;
  /** Length of the minified or formatted document, without escapes, in bytes. */
  byteLength = 0;
  /** Length of the output, in bytes. If it doesn't fit, this is an upper bound. */
  outputLength = 0;

  readonly #output: Bytes;
  readonly #indent: number;
  readonly #escapes: boolean;
  /** Offset after the last byte of `text` that has been written. */
  #written = 0;

  constructor(
    text: TerminatedBytes,
    { bytes, indent, escapes }: Output = NO_OUTPUT,
  ) {
    this.text = text;
    this.#output = bytes;
    this.#indent = indent;
    this.#escapes = escapes;
  }

  #fail(at: number, expected: string): never {
    const text = decodeValidUtf8(this.text.subarray(0, -1));
    const { length } = decodeValidUtf8(this.text.subarray(0, at));
    throw createTextError(text, length, expected);
  }

  /** Writes the text up to an offset. */
  #write(end: number): void {
    const start = this.#written;
    const length = end - start;
    const at = this.outputLength;
    this.#written = end;
    this.byteLength += length;
    this.outputLength += this.#escapes ? 2 * length : length;
    if (this.outputLength > this.#output.length) return;
    const escaped = this.#escapes ? QUOTED : NONE;
    const output = this.#output;
    this.outputLength = copy(this.text, start, end, output, at, escaped);
  }

  /** Writes the text up to an offset, a newline, and the indentation of a level. */
  #breakLine(end: number, level: number): void {
    if (this.#indent === 0) return;
    this.#write(end);
    const spaces = this.#indent * level;
    let at = this.outputLength;
    this.byteLength += 1 + spaces;
    this.outputLength += (this.#escapes ? 2 : 1) + spaces;
    if (this.outputLength > this.#output.length) return;
    if (this.#escapes) {
      this.#output[at] = BACKSLASH;
      this.#output[at + 1] = LOWER_N;
      at += 2;
    } else {
      this.#output[at] = LINE_FEED;
      at += 1;
    }
    writeSpaces(this.#output, at, this.outputLength);
  }

  /** Skips whitespace, which is not written. */
  skipGap(at: number): number {
    if (this.text[at]! > SPACE) return at;
    this.#write(at);
    this.#written = skipWhitespace(this.text, at);
    return this.#written;
  }

  /** Skips whitespace, and checks that the text ends after it. */
  skipToEnd(at: number): void {
    at = this.skipGap(at);
    if (at < this.text.length - 1) this.#fail(at, "the end of the text");
    this.#write(at);
  }

  /** Skips the entire document. */
  skipDocument(): void {
    this.skipToEnd(this.skipValue(this.skipGap(0)));
  }

  /** Skips a value, with all values in it if it is an array or object. */
  skipValue(at: number): number {
    const { text } = this;
    /**
     * The brackets and braces that will close the open arrays and objects; that of the
     * outermost is at index 1.
     */
    const closers = [0];
    let closer = 0;
    let level = 0;
    for (;;) {
      // A value begins here or, in an object, a member.
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

      // A value ends here. Skips the closing brackets and braces after it, up to a comma or
      // the end of the outermost value.
      for (;;) {
        if (level === 0) return at;
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
  }

  /**
   * Throws unless the byte at an offset is the given bracket or brace. The caller has found
   * no comma there, so the message says that a comma was expected, too.
   */
  checkCloser(at: number, closer: number): void {
    if (this.text[at] === closer) return;
    this.#fail(at, `"," or "${String.fromCharCode(closer)}"`);
  }

  /** Skips the name of a member. */
  skipName(at: number): number {
    if (this.text[at] === DOUBLE_QUOTE) return this.#skipString(at);
    this.#fail(at, "a name in double quotes");
  }

  /** Skips a colon, and the whitespace around it. */
  skipColon(at: number): number {
    at = this.skipGap(at);
    if (this.text[at] !== COLON) this.#fail(at, '":"');
    at = this.skipGap(at + 1);
    this.#writeSpace(at);
    return at;
  }

  /** Writes the text up to an offset, and a space if the document is formatted. */
  #writeSpace(end: number): void {
    if (this.#indent === 0) return;
    this.#write(end);
    const at = this.outputLength;
    if (at < this.#output.length) this.#output[at] = SPACE;
    this.byteLength += 1;
    this.outputLength += 1;
  }

  /** Skips a string, a number, `true`, `false` or `null`. */
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
    const { text } = this;
    const end = findNonDigit(text, at);
    if (end === at) this.#fail(at, "a digit");
    return end;
  }

  /** Skips a string (RFC 8259, section 7). */
  #skipString(at: number): number {
    const { text } = this;
    at = findSpecial(text, at + 1);
    while (text[at] !== DOUBLE_QUOTE) {
      at = findSpecial(text, this.#skipEscape(at));
    }
    return at + 1;
  }

  /** Skips an escape sequence. */
  #skipEscape(at: number): number {
    const { text } = this;
    if (text[at] !== BACKSLASH) {
      const isEnd = at === text.length - 1;
      this.#fail(
        at,
        isEnd ? "a closing double quote" : "control characters to be escaped",
      );
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

// The loops over bytes have functions of their own: a loop is twice as fast in a function
// that calls no other.

/** Returns the offset of the first special byte of a string from an offset on. */
function findSpecial(text: Bytes, at: number): number {
  while (SPECIAL[text[at]!] === 0) at += 1;
  return at;
}

/** Returns the offset of the first byte that is no whitespace from an offset on. */
export function skipWhitespace(text: Bytes, at: number): number {
  while (WHITESPACE[text[at]!] !== 0) at += 1;
  return at;
}

/** Returns the offset of the first byte that is no digit from an offset on. */
function findNonDigit(text: Bytes, at: number): number {
  while (DIGITS[text[at]!] !== 0) at += 1;
  return at;
}

/**
 * Copies the bytes from `start` to `end` to an offset of the output, with a backslash before
 * each byte for which `escaped` has 1. Returns the offset in the output after them.
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
    // Without a branch, which the CPU would often mispredict.
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
