/**
 * Checks JSON texts (RFC 8259, strict) in one pass without recursion, and reports the
 * white space between their tokens to a handler, which formats or minifies the text.
 * No values are built; each level of nesting takes one array element.
 *
 * @module
 */

import { runAtOnce, type Work } from "../work.ts";
import { JsonTextError, unexpected } from "./error.ts";

/**
 * Receives the start and end offset of the white space before, between and after the
 * tokens of a text, even if it is empty.
 */
export interface WhiteSpaceHandler {
  /** Whether the scan should pause. */
  readonly isFull: boolean;
  /** Handles white space at a position where formatted text has none. */
  remove(start: number, end: number): void;
  /** Handles white space at a position where formatted text has a space. */
  replaceBySpace(start: number, end: number): void;
  /**
   * Handles white space at a position where formatted text has a line break.
   *
   * @param depth Depth of nesting of the next line.
   */
  replaceByLineBreak(start: number, end: number, depth: number): void;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_B = 0x62;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_R = 0x72;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Length, in UTF-16 code units, after which the rest of a string is searched with a
 * regular expression, which is faster than the loop for long strings.
 */
const MAX_LOOP_LENGTH = 32;

/**
 * The content of a string (RFC 8259, section 7), with a limit, since each escape
 * takes memory while it is searched.
 */
const STRING_CONTENT =
  /(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,1024}/y;

/**
 * Returns the error message for an invalid text, with line and column;
 * `undefined` for valid JSON.
 */
export function findJsonError(text: string): string | undefined {
  return runAtOnce(scanForError(text));
}

/** Like `findJsonError()`, with pauses. */
export function* scanForError(text: string): Work<string | undefined> {
  try {
    const scan = new Scan(text);
    while (!scan.resume()) yield;
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    throw error;
  }
}

/** Length of text after which a scan pauses, in UTF-16 code units: about 0.2 ms. */
const PAUSE_LENGTH = 64 * 1024;

/** Distance between two checks of `isFull`, in UTF-16 code units. */
const CHECK_INTERVAL = 64;

/** A scan of a JSON text from its start to its end, which can pause. */
export class Scan {
  readonly #text: string;
  readonly #handler: WhiteSpaceHandler | undefined;
  /** The closing characters of the open containers, outermost first. */
  readonly #closers: number[] = [];
  #at: number;
  /** Whether a value begins at the offset; otherwise one ends there. */
  #isValueNext = true;

  constructor(text: string, handler?: WhiteSpaceHandler) {
    this.#text = text;
    this.#handler = handler;
    this.#at = skipWhiteSpace(text, 0);
    handler?.remove(0, this.#at);
  }

  /**
   * Continues the scan. Returns true at the end of the text, false at a pause: the
   * handler is full, or 64 Ki code units have been scanned.
   *
   * @throws {JsonTextError} for the first character that cannot continue a JSON
   * text.
   */
  resume(): boolean {
    // Local variables are faster than fields.
    const text = this.#text;
    const handler = this.#handler;
    const closers = this.#closers;
    let closer = closers.at(-1) ?? 0;
    let at = this.#at;
    let isValueNext = this.#isValueNext;
    let checkAt = at + CHECK_INTERVAL;
    const pauseAt = at + PAUSE_LENGTH;

    for (;;) {
      if (at >= checkAt) {
        if (handler?.isFull || at >= pauseAt) {
          this.#at = at;
          this.#isValueNext = isValueNext;
          return false;
        }
        checkAt = at + CHECK_INTERVAL;
      }
      if (isValueNext) {
        const opener = text.charCodeAt(at);
        if (opener !== OPEN_BRACE && opener !== OPEN_BRACKET) {
          at = skipScalar(text, at);
        } else {
          const gap = at + 1;
          closer = opener === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
          closers.push(closer);
          at = skipWhiteSpace(text, gap);
          if (text.charCodeAt(at) !== closer) {
            handler?.replaceByLineBreak(gap, at, closers.length);
            if (closer === CLOSE_BRACE) at = skipName(text, at, handler);
            continue;
          }
          handler?.remove(gap, at);
          at += 1;
          closers.pop();
          closer = closers.at(-1) ?? 0;
        }
        isValueNext = false;
      }

      const gap = at;
      at = skipWhiteSpace(text, gap);
      if (closer === 0) {
        handler?.remove(gap, at);
        if (at < text.length) throw unexpected(text, at, "the end of the text");
        return true;
      }
      const code = text.charCodeAt(at);
      if (code === COMMA) {
        handler?.remove(gap, at);
        const next = at + 1;
        at = skipWhiteSpace(text, next);
        handler?.replaceByLineBreak(next, at, closers.length);
        if (closer === CLOSE_BRACE) at = skipName(text, at, handler);
        isValueNext = true;
      } else if (code === closer) {
        closers.pop();
        closer = closers.at(-1) ?? 0;
        handler?.replaceByLineBreak(gap, at, closers.length);
        at += 1;
      } else {
        throw unexpected(text, at, `"," or "${String.fromCharCode(closer)}"`);
      }
    }
  }
}

/** Skips a member's name and colon, and returns the offset of its value. */
function skipName(
  text: string,
  at: number,
  handler?: WhiteSpaceHandler,
): number {
  if (text.charCodeAt(at) !== DOUBLE_QUOTE) {
    throw unexpected(text, at, "a name in double quotes");
  }
  const nameEnd = skipString(text, at);
  const colon = skipWhiteSpace(text, nameEnd);
  if (text.charCodeAt(colon) !== COLON) throw unexpected(text, colon, '":"');
  handler?.remove(nameEnd, colon);
  const value = skipWhiteSpace(text, colon + 1);
  handler?.replaceBySpace(colon + 1, value);
  return value;
}

function skipScalar(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === DOUBLE_QUOTE) return skipString(text, at);
  if (code === MINUS || isDigit(code)) return skipNumber(text, at);
  if (code === LOWER_T) return skipWord(text, at, "true");
  if (code === LOWER_F) return skipWord(text, at, "false");
  if (code === LOWER_N) return skipWord(text, at, "null");
  throw unexpected(text, at, "a JSON value");
}

function skipWhiteSpace(text: string, at: number): number {
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (
      code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN &&
      code !== TAB
    ) break;
    at += 1;
  }
  return at;
}

function skipWord(text: string, at: number, word: string): number {
  if (text.startsWith(word, at)) return at + word.length;
  let count = 0;
  while (text[at + count] === word[count]) count += 1;
  throw unexpected(text, at + count, `"${word}"`);
}

/** RFC 8259, section 6. */
function skipNumber(text: string, at: number): number {
  if (text.charCodeAt(at) === MINUS) at += 1;
  if (text.charCodeAt(at) === DIGIT_0) at += 1;
  else at = skipDigits(text, at);
  if (text.charCodeAt(at) === DOT) at = skipDigits(text, at + 1);
  const code = text.charCodeAt(at);
  if (code === LOWER_E || code === UPPER_E) {
    const sign = text.charCodeAt(at + 1);
    at = skipDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

function skipDigits(text: string, at: number): number {
  if (!isDigit(text.charCodeAt(at))) throw unexpected(text, at, "a digit");
  do at += 1; while (isDigit(text.charCodeAt(at)));
  return at;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

/** RFC 8259, section 7. */
function skipString(text: string, at: number): number {
  const end = at + MAX_LOOP_LENGTH;
  for (;;) {
    at += 1;
    if (at === end) at = skipContent(text, at);
    const code = text.charCodeAt(at);
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code === BACKSLASH) at = skipEscape(text, at);
    // At the end of the text the code is NaN.
    else if (!(code >= SPACE)) {
      throw unexpected(
        text,
        at,
        at < text.length
          ? "control characters to be escaped"
          : "a closing double quote",
      );
    }
  }
}

/** Returns the offset of the first code unit that is not content of a string. */
function skipContent(text: string, at: number): number {
  STRING_CONTENT.lastIndex = at;
  while (STRING_CONTENT.test(text)) at = STRING_CONTENT.lastIndex;
  return at;
}

/** Checks an escape and returns the offset of its last character. */
function skipEscape(text: string, at: number): number {
  const letter = at + 1;
  switch (text.charCodeAt(letter)) {
    case DOUBLE_QUOTE:
    case BACKSLASH:
    case SLASH:
    case LOWER_B:
    case LOWER_F:
    case LOWER_N:
    case LOWER_R:
    case LOWER_T:
      return letter;
    case LOWER_U:
      break;
    default:
      throw unexpected(text, letter, 'one of "\\/bfnrtu after the backslash');
  }
  for (let digit = letter + 1; digit <= letter + 4; digit += 1) {
    if (!isHexDigit(text.charCodeAt(digit))) {
      throw unexpected(text, digit, "four hexadecimal digits after \\u");
    }
  }
  return letter + 4;
}

function isHexDigit(code: number): boolean {
  const lowerCase = code | 0x20;
  return isDigit(code) || (lowerCase >= 0x61 && lowerCase <= 0x66);
}
