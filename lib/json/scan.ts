/**
 * Checks JSON texts (RFC 8259, strict) in one pass without recursion, and without building
 * values. The same pass counts what decides the size of the formatted text.
 *
 * @module
 */

import { resize } from "../buffer.ts";
import { createTextError } from "./error.ts";
import {
  encodeText,
  MIN_SECOND_SURROGATE_BYTE,
  SURROGATE_BYTE,
  type TerminatedText,
} from "./terminated_text.ts";
import type { Bytes } from "../buffer.ts";

export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
const PLUS = 0x2b;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
export const SLASH = 0x2f;
const DIGIT_0 = 0x30;
export const COLON = 0x3a;
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
export const TO_CLOSER = 2;

/** Has 1 for each byte of white space (RFC 8259, section 2); 0 for other bytes. */
const WHITE_SPACE = createTable(" \t\n\r");
const DIGITS = createTable("0123456789");
const HEX_DIGITS = createTable("0123456789abcdefABCDEF");

/**
 * Has 1 for each byte that is special in a string: `"`, `\`, control characters, the zero
 * byte at the end of the text, and `SURROGATE_BYTE`, with which a lone surrogate may begin.
 */
export const SPECIAL = createTable('"\\').fill(1, 0, SPACE);
SPECIAL[SURROGATE_BYTE] = 1;

/**
 * By the character after a backslash: the number of bytes that the escape sequence adds to
 * `Scan.escapeBytes`; 0 for a character that may not follow a backslash.
 */
const GROWTH = new Uint8Array(256);
for (const letter of '"\\/bfnrtu') {
  GROWTH[letter.charCodeAt(0)] = JSON.stringify(`\\${letter}`).length - 4;
}

/**
 * Creates a table, indexed by a byte, that has 1 for the given ASCII characters, and 0 for
 * other bytes.
 */
export function createTable(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/**
 * Checks that a whole text is JSON. Returns the scan, with the counts of the whole text.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function scanText(text: string): Scan {
  const scan = new Scan(encodeText(text));
  scan.skipToEnd(scan.skipValue(scan.skipGap(0)));
  return scan;
}

/**
 * Checks one text part by part, and counts what the parts have that it has skipped. Every
 * public method takes an offset in bytes. A method that skips a part of the text returns
 * the offset after this part, except `skipToEnd()`. All methods except `skipGap()` throw a
 * `JsonTextError` where the text is not JSON.
 */
export class Scan {
  readonly text: TerminatedText;
  /** Number of bytes of white space outside of tokens. */
  gapBytes = 0;
  /**
   * Number of bytes by which the tokens grow when the whole text is itself written as a
   * JSON string, as in a response.
   */
  escapeBytes = 0;
  /** Number of colons, after each of which formatted text has a space. */
  colons = 0;
  /** Number of line breaks in formatted text. */
  lines = 0;
  /** Sum of the levels of indentation of all lines of formatted text. */
  levels = 0;

  /**
   * The brackets and braces that will close the open arrays and objects; that of the
   * outermost is at index 1.
   */
  #closers = new Uint8Array(64);

  constructor(text: TerminatedText) {
    this.text = text;
  }

  #fail(at: number, expected: string): never {
    throw createTextError(this.text, at, expected);
  }

  /** Skips white space, and counts it in `gapBytes`. */
  skipGap(at: number): number {
    if (this.text[at]! > SPACE) return at;
    const end = skipWhiteSpace(this.text, at);
    this.gapBytes += end - at;
    return end;
  }

  /** Skips white space, and checks that the text ends after it. */
  skipToEnd(at: number): void {
    at = this.skipGap(at);
    if (at < this.text.length - 1) this.#fail(at, "the end of the text");
  }

  /** Skips a value, with all values in it if it is an array or object. */
  skipValue(at: number): number {
    const { text } = this;
    let closers = this.#closers;
    let closer = 0;
    let level = 0;
    let lines = 0;
    let levels = 0;
    for (;;) {
      // A value begins here or, in an object, a member.
      if (closer === CLOSE_BRACE) at = this.skipColon(this.skipName(at));
      const code = text[at]!;
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        at = this.skipGap(at + 1);
        if (text[at] !== code + TO_CLOSER) {
          closer = code + TO_CLOSER;
          level += 1;
          if (level === closers.length) closers = this.#deepen();
          closers[level] = closer;
          lines += 1;
          levels += level;
          continue;
        }
        at += 1;
      } else at = this.#skipScalar(at);

      // A value ends here. Skips the closing brackets and braces after it, up to a comma or
      // the end of the outermost value.
      for (;;) {
        if (level === 0) {
          this.lines += lines;
          this.levels += levels;
          return at;
        }
        at = this.skipGap(at);
        lines += 1;
        if (text[at] === COMMA) break;
        this.checkCloser(at, closer);
        at += 1;
        level -= 1;
        levels += level;
        closer = closers[level]!;
      }
      at = this.skipGap(at + 1);
      levels += level;
    }
  }

  #deepen(): Bytes {
    const { buffer, byteLength } = this.#closers;
    this.#closers = new Uint8Array(resize(buffer, 2 * byteLength));
    return this.#closers;
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

  /** Skips a colon, and the white space around it. */
  skipColon(at: number): number {
    at = this.skipGap(at);
    if (this.text[at] !== COLON) this.#fail(at, '":"');
    this.colons += 1;
    return this.skipGap(at + 1);
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
      at = findSpecial(text, this.#skipSpecial(at));
    }
    this.escapeBytes += 2;
    return at + 1;
  }

  /**
   * Skips an escape sequence, or three bytes of which the first is `SURROGATE_BYTE`. Throws
   * for a wrong escape sequence, a control character, or the end of the text.
   */
  #skipSpecial(at: number): number {
    const { text } = this;
    const code = text[at]!;
    if (code === BACKSLASH) {
      const letter = text[at + 1]!;
      const growth = GROWTH[letter]!;
      if (growth === 0) {
        this.#fail(at + 1, 'one of "\\/bfnrtu after the backslash');
      }
      this.escapeBytes += growth;
      if (letter !== LOWER_U) return at + 2;
      for (let digit = at + 2; digit < at + 6; digit += 1) {
        if (HEX_DIGITS[text[digit]!] !== 0) continue;
        this.#fail(digit, "four hexadecimal digits after \\u");
      }
      return at + 6;
    }
    if (code === SURROGATE_BYTE) {
      // The three bytes of a lone surrogate become an escape sequence of six, such as
      // `\ud800`.
      if (text[at + 1]! >= MIN_SECOND_SURROGATE_BYTE) this.escapeBytes += 3;
      return at + 3;
    }
    const isEnd = at === text.length - 1;
    this.#fail(
      at,
      isEnd ? "a closing double quote" : "control characters to be escaped",
    );
  }
}

// The loops over bytes have functions of their own: a loop is twice as fast in a function
// that calls no other.

/** Returns the offset of the first special byte of a string from an offset on. */
function findSpecial(text: TerminatedText, at: number): number {
  while (SPECIAL[text[at]!] === 0) at += 1;
  return at;
}

/** Returns the offset of the first byte that is no white space from an offset on. */
export function skipWhiteSpace(text: TerminatedText, at: number): number {
  while (WHITE_SPACE[text[at]!] !== 0) at += 1;
  return at;
}

/** Returns the offset of the first byte that is no digit from an offset on. */
function findNonDigit(text: TerminatedText, at: number): number {
  while (DIGITS[text[at]!] !== 0) at += 1;
  return at;
}
