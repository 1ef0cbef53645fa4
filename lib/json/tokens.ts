/**
 * Skips tokens of JSON texts (RFC 8259, strict). Each function takes the offset of a
 * token, in UTF-16 code units, returns the offset behind it, and throws a
 * `JsonTextError` for the first character that cannot continue the token.
 *
 * @module
 */

import { unexpected } from "./error.ts";

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const UPPER_E = 0x45;
const BACKSLASH = 0x5c;
const LOWER_B = 0x62;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_R = 0x72;
const LOWER_T = 0x74;
const LOWER_U = 0x75;

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

/** Skips a member's name. */
export function skipName(text: string, at: number): number {
  if (text.charCodeAt(at) === DOUBLE_QUOTE) return skipString(text, at);
  throw unexpected(text, at, "a name in double quotes");
}

/** Skips a string, a number, `true`, `false` or `null`. */
export function skipScalar(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === DOUBLE_QUOTE) return skipString(text, at);
  if (code === MINUS || isDigit(code)) return skipNumber(text, at);
  if (code === LOWER_T) return skipWord(text, at, "true");
  if (code === LOWER_F) return skipWord(text, at, "false");
  if (code === LOWER_N) return skipWord(text, at, "null");
  throw unexpected(text, at, "a JSON value");
}

/** Skips white space, if there is any. */
export function skipWhiteSpace(text: string, at: number): number {
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

/** Skips the white space behind the value of a text, up to the end of the text. */
export function skipToEnd(text: string, at: number): number {
  at = skipWhiteSpace(text, at);
  if (at < text.length) throw unexpected(text, at, "the end of the text");
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
