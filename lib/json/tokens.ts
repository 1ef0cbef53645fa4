/**
 * Skips tokens of JSON texts (RFC 8259, strict). Each function takes the offset of a token,
 * in bytes, and returns the offset after the token. It throws an `UnexpectedByte` for the
 * first character that cannot continue the token.
 *
 * @module
 */

import { UnexpectedByte } from "./error.ts";
import { isContinuation, type TextBytes } from "./utf8.ts";

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

/** Length of the longest escape sequence, such as `\u0061`, in bytes. */
const MAX_ESCAPE_LENGTH = 6;

/** Skips a member's name. */
export function skipName(text: TextBytes, at: number): number {
  if (text[at] === DOUBLE_QUOTE) return skipString(text, at);
  throw new UnexpectedByte(at, "a name in double quotes");
}

/** Skips a string, a number, `true`, `false` or `null`. */
export function skipScalar(text: TextBytes, at: number): number {
  const code = text[at]!;
  if (code === DOUBLE_QUOTE) return skipString(text, at);
  if (code === MINUS || isDigit(code)) return skipNumber(text, at);
  if (code === LOWER_T) return skipWord(text, at, "true");
  if (code === LOWER_F) return skipWord(text, at, "false");
  if (code === LOWER_N) return skipWord(text, at, "null");
  throw new UnexpectedByte(at, "a JSON value");
}

/** Skips white space, if there is any. */
export function skipWhiteSpace(text: TextBytes, at: number): number {
  for (;;) {
    const code = text[at]!;
    if (
      code > SPACE ||
      code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN &&
        code !== TAB
    ) return at;
    at += 1;
  }
}

/** Skips the white space after the value of a text, up to the end of the text. */
export function skipToEnd(text: TextBytes, at: number): number {
  at = skipWhiteSpace(text, at);
  if (at < text.length - 1) throw new UnexpectedByte(at, "the end of the text");
  return at;
}

function skipWord(text: TextBytes, at: number, word: string): number {
  for (let i = 0; i < word.length; i += 1) {
    if (text[at + i] === word.charCodeAt(i)) continue;
    throw new UnexpectedByte(at + i, `"${word}"`);
  }
  return at + word.length;
}

/** Skips a number (RFC 8259, section 6). */
function skipNumber(text: TextBytes, at: number): number {
  if (text[at] === MINUS) at += 1;
  if (text[at] === DIGIT_0) at += 1;
  else at = skipDigits(text, at);
  if (text[at] === DOT) at = skipDigits(text, at + 1);
  const code = text[at]!;
  if (code === LOWER_E || code === UPPER_E) {
    const sign = text[at + 1]!;
    at = skipDigits(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

function skipDigits(text: TextBytes, at: number): number {
  if (!isDigit(text[at]!)) throw new UnexpectedByte(at, "a digit");
  do at += 1; while (isDigit(text[at]!));
  return at;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

/** Skips a string (RFC 8259, section 7). */
function skipString(text: TextBytes, at: number): number {
  for (at += 1;; at += 1) {
    const code = text[at]!;
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code === BACKSLASH || code < SPACE) at = skipEscape(text, at);
  }
}

/**
 * Skips `length` bytes inside a string, and the rest of an escape sequence or character in
 * which they end. Stops before the closing quote if that comes earlier. Returns the offset
 * after the skipped bytes.
 */
export function skipStringPart(
  text: TextBytes,
  at: number,
  length: number,
): number {
  const end = at + length;
  for (;; at += 1) {
    const code = text[at]!;
    if (code === DOUBLE_QUOTE) return at;
    if (at >= end && !isContinuation(code)) return at;
    if (code === BACKSLASH || code < SPACE) at = skipEscape(text, at);
  }
}

/**
 * If an offset in a string is inside an escape sequence or a character, returns the start
 * of that; otherwise returns the offset itself.
 */
export function skipBackToEscape(text: TextBytes, offset: number): number {
  let at = offset;
  while (isContinuation(text[at]!)) at -= 1;
  for (let i = at - 1; i > at - MAX_ESCAPE_LENGTH; i -= 1) {
    if (text[i] !== BACKSLASH) continue;
    let start = i;
    while (text[start - 1] === BACKSLASH) start -= 1;
    // If the number of backslashes before the one at `i` is odd, that one is itself
    // escaped, and starts no escape sequence.
    if ((i - start) % 2 === 1) return at;
    return text[i + 1] === LOWER_U || i + 1 === at ? i : at;
  }
  return at;
}

/**
 * Checks an escape sequence, and returns the offset of its last character. Throws for a
 * character that must be escaped.
 */
function skipEscape(text: TextBytes, at: number): number {
  if (text[at] !== BACKSLASH) {
    throw new UnexpectedByte(
      at,
      at < text.length - 1
        ? "control characters to be escaped"
        : "a closing double quote",
    );
  }
  const letter = at + 1;
  switch (text[letter]!) {
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
      throw new UnexpectedByte(letter, 'one of "\\/bfnrtu after the backslash');
  }
  for (let digit = letter + 1; digit <= letter + 4; digit += 1) {
    if (!isHexDigit(text[digit]!)) {
      throw new UnexpectedByte(digit, "four hexadecimal digits after \\u");
    }
  }
  return letter + 4;
}

function isHexDigit(code: number): boolean {
  const lowerCase = code | 0x20;
  return isDigit(code) || (lowerCase >= 0x61 && lowerCase <= 0x66);
}
