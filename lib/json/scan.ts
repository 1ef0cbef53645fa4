/**
 * Checking JSON texts (RFC 8259, strict) in one iterative pass, which tells
 * whoever rewrites them of the gaps between their tokens. No value is built, and
 * nesting costs one array element a level.
 *
 * @module
 */

import { runAtOnce, type Work } from "../work.ts";
import { JsonTextError, unexpected } from "./error.ts";

/** What is told of each gap between two tokens, from start to end, even if empty. */
export interface Gaps {
  /** Whether the scan should pause. */
  readonly isFull: boolean;
  /** Nothing need stand in the gap. */
  close(start: number, end: number): void;
  /** The gap follows a colon. */
  space(start: number, end: number): void;
  /** The gap begins a line at this depth of nesting. */
  breakLine(start: number, end: number, depth: number): void;
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

/** Longer strings, in UTF-16 code units, are worth a call of the runtime. */
const MAX_SHORT_STRING = 32;

/** Says what is wrong with a text, and where; `undefined` for valid JSON. */
export function findJsonError(text: string): string | undefined {
  return runAtOnce(scanForError(text));
}

/** Does the work of `findJsonError()`, with pauses. */
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

/** How often it looks whether the output is full, in UTF-16 code units. */
const LOOK_EVERY = 64;

/** A scan of a whole JSON text, which hands every gap between its tokens to the output. */
export class Scan {
  readonly #text: string;
  readonly #output: Gaps | undefined;
  /** The closing characters of the open containers, outermost first. */
  readonly #closers: number[] = [];
  #at: number;
  /** Whether a value begins at the offset; else one has ended there. */
  #isValueNext = true;

  constructor(text: string, output?: Gaps) {
    this.#text = text;
    this.#output = output;
    this.#at = skipWhiteSpace(text, 0);
    output?.close(0, this.#at);
  }

  /**
   * Goes on until the output is full or the text ends; whether it has ended.
   *
   * @throws {JsonTextError} at the first character that cannot continue a JSON
   * text.
   */
  resume(): boolean {
    // In variables of their own, which the loop reads faster.
    const text = this.#text;
    const output = this.#output;
    const closers = this.#closers;
    let closer = closers.at(-1) ?? 0;
    let at = this.#at;
    let isValueNext = this.#isValueNext;
    let lookAt = at + LOOK_EVERY;
    const pauseAt = at + PAUSE_LENGTH;

    for (;;) {
      if (at >= lookAt) {
        if (output?.isFull || at >= pauseAt) {
          this.#at = at;
          this.#isValueNext = isValueNext;
          return false;
        }
        lookAt = at + LOOK_EVERY;
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
            output?.breakLine(gap, at, closers.length);
            if (closer === CLOSE_BRACE) at = skipName(text, at, output);
            continue;
          }
          output?.close(gap, at);
          at += 1;
          closers.pop();
          closer = closers.at(-1) ?? 0;
        }
        isValueNext = false;
      }

      const gap = at;
      at = skipWhiteSpace(text, gap);
      if (closer === 0) {
        output?.close(gap, at);
        if (at < text.length) throw unexpected(text, at, "the end of the text");
        return true;
      }
      const code = text.charCodeAt(at);
      if (code === COMMA) {
        output?.close(gap, at);
        const next = at + 1;
        at = skipWhiteSpace(text, next);
        output?.breakLine(next, at, closers.length);
        if (closer === CLOSE_BRACE) at = skipName(text, at, output);
        isValueNext = true;
      } else if (code === closer) {
        closers.pop();
        closer = closers.at(-1) ?? 0;
        output?.breakLine(gap, at, closers.length);
        at += 1;
      } else {
        throw unexpected(text, at, `"," or "${String.fromCharCode(closer)}"`);
      }
    }
  }
}

/** Returns the offset of a member's value, past its name and colon. */
function skipName(text: string, at: number, output?: Gaps): number {
  if (text.charCodeAt(at) !== DOUBLE_QUOTE) {
    throw unexpected(text, at, "a name in double quotes");
  }
  const nameEnd = skipString(text, at);
  const colon = skipWhiteSpace(text, nameEnd);
  if (text.charCodeAt(colon) !== COLON) throw unexpected(text, colon, '":"');
  output?.close(nameEnd, colon);
  const value = skipWhiteSpace(text, colon + 1);
  output?.space(colon + 1, value);
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
  let same = 0;
  while (text[at + same] === word[same]) same += 1;
  throw unexpected(text, at + same, `"${word}"`);
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
  const end = at + MAX_SHORT_STRING;
  for (;;) {
    at += 1;
    if (at === end) at = skipPlain(text, at);
    const code = text.charCodeAt(at);
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code === BACKSLASH) at = skipEscape(text, at);
    // Past the end there is no code: NaN.
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

/**
 * Returns the offset of the closing quote where nothing up to it needs escaping,
 * else the offset that it was given. The runtime searches faster than a loop.
 */
function skipPlain(text: string, at: number): number {
  const quote = text.indexOf('"', at);
  if (quote === -1) return at;
  const plain = text.slice(at, quote);
  // What needs no escaping gains the two quotes and nothing else.
  return JSON.stringify(plain).length === plain.length + 2 ? quote : at;
}

/** Returns the offset of an escape's last character. */
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
