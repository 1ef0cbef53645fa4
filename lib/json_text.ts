/**
 * Lossless work on JSON texts (RFC 8259, strict): validation with the exact
 * position of an error, minifying and formatting.
 *
 * One iterative scan serves all three. It changes the white space between
 * tokens and copies everything else as it came, so that numbers, escapes, the
 * order of names and duplicate names survive. No value is built, and nesting
 * costs one array element a level.
 *
 * @module
 */

import { describe } from "./errors.ts";

/** A text that is no JSON. The message ends in `at line L, column C`. */
export class JsonTextError extends Error {
  override name = "JsonTextError";
}

/** A text whose formatted form would be larger than allowed. */
export class JsonSizeError extends Error {
  override name = "JsonSizeError";
}

/** How `formatJson()` lays out its result. */
export interface FormatOptions {
  /** Spaces a level of nesting, at least 1. */
  readonly indent: number;
  /** Largest result, in bytes of UTF-8, inclusive. */
  readonly maxBytes: number;
}

const utf8Encoder = new TextEncoder();

/** Says what is wrong with a text, and where; `undefined` for valid JSON. */
export function findJsonError(text: string): string | undefined {
  try {
    scan(text);
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    throw error;
  }
}

/**
 * Removes the white space between the tokens of a JSON text.
 *
 * @throws {JsonTextError} where the text is no JSON.
 */
export function minifyJson(text: string): string {
  const output = new Rewriter(text, { indent: 0, maxLength: Infinity });
  scan(text, output);
  return output.finish();
}

/**
 * Lays a JSON text out as `JSON.stringify(value, null, indent)` does: one
 * element or member a line, `{}` and `[]` where empty.
 *
 * @throws {JsonTextError} where the text is no JSON.
 * @throws {JsonSizeError} where the result would be larger than `maxBytes`; it
 * is given up before it grows past them.
 */
export function formatJson(text: string, options: FormatOptions): string {
  const { indent, maxBytes } = options;
  // Only white space is added or removed, and that is one byte a code unit: the
  // text's surplus of bytes over code units is the result's too.
  const surplus = utf8Encoder.encode(text).byteLength - text.length;
  const output = new Rewriter(text, { indent, maxLength: maxBytes - surplus });
  scan(text, output);
  const result = output.finish();
  if (output.isTooLong) {
    throw new JsonSizeError(`the result would exceed ${maxBytes} bytes`);
  }
  return result;
}

/**
 * Copies a text with the gaps between its tokens filled anew. What needs no
 * change is copied in one piece. Offsets and lengths are in UTF-16 code units.
 */
class Rewriter {
  /** Whether the result was given up because it outgrew its limit. */
  isTooLong = false;
  readonly #text: string;
  readonly #indent: number;
  readonly #maxLength: number;
  readonly #lineBreaks: string[] = [];
  #result = "";
  /** Where the piece of the text begins that the result does not have yet. */
  #pending = 0;

  /** An indent of 0 leaves out all white space. */
  constructor(text: string, layout: { indent: number; maxLength: number }) {
    this.#text = text;
    this.#indent = layout.indent;
    this.#maxLength = layout.maxLength;
  }

  /** Empties the gap from start to end. */
  close(start: number, end: number): void {
    if (start !== end) this.#replace(start, end, "");
  }

  /** Fills the gap after a colon. */
  space(start: number, end: number): void {
    this.#fill(start, end, this.#indent === 0 ? "" : " ");
  }

  /** Fills the gap before a line at this depth of nesting. */
  breakLine(start: number, end: number, depth: number): void {
    if (this.#indent === 0) return this.close(start, end);
    if (this.isTooLong) return;
    const lineBreak = this.#lineBreaks[depth] ??= "\n" +
      " ".repeat(this.#indent * depth);
    this.#fill(start, end, lineBreak);
  }

  /** Copies what is left, and returns the result. */
  finish(): string {
    this.close(this.#text.length, this.#text.length + 1);
    return this.#result;
  }

  #fill(start: number, end: number, filling: string): void {
    const isFilled = end - start === filling.length &&
      this.#text.startsWith(filling, start);
    if (!isFilled) this.#replace(start, end, filling);
  }

  #replace(start: number, end: number, filling: string): void {
    if (this.isTooLong) return;
    const length = this.#result.length + start - this.#pending + filling.length;
    if (length > this.#maxLength) {
      this.isTooLong = true;
      this.#result = "";
      return;
    }
    this.#result += this.#text.slice(this.#pending, start) + filling;
    this.#pending = end;
  }
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
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Scans a whole JSON text and hands every gap between its tokens to the output.
 *
 * @throws {JsonTextError} at the first character that cannot continue a JSON
 * text.
 */
function scan(text: string, output?: Rewriter): void {
  // The closing characters of the open containers, outermost first.
  const closers: number[] = [];
  let closer = 0;
  let at = skipWhiteSpace(text, 0);
  output?.close(0, at);

  for (;;) {
    // A value begins here.
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

    // A value has ended here, and with it perhaps the containers around it.
    for (;;) {
      const gap = at;
      at = skipWhiteSpace(text, gap);
      if (closer === 0) {
        output?.close(gap, at);
        if (at < text.length) throw unexpected(text, at, "the end of the text");
        return;
      }
      const code = text.charCodeAt(at);
      if (code === COMMA) {
        output?.close(gap, at);
        break;
      }
      if (code !== closer) {
        throw unexpected(text, at, `"," or "${String.fromCharCode(closer)}"`);
      }
      closers.pop();
      closer = closers.at(-1) ?? 0;
      output?.breakLine(gap, at, closers.length);
      at += 1;
    }

    // A comma stands here.
    const gap = at + 1;
    at = skipWhiteSpace(text, gap);
    output?.breakLine(gap, at, closers.length);
    if (closer === CLOSE_BRACE) at = skipName(text, at, output);
  }
}

/** Returns the offset of a member's value, past its name and colon. */
function skipName(text: string, at: number, output?: Rewriter): number {
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
  for (;;) {
    at += 1;
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

/** Returns the offset of an escape's last character. */
function skipEscape(text: string, at: number): number {
  const letter = at + 1;
  if (text.charCodeAt(letter) !== LOWER_U) {
    if (letter < text.length && '"\\/bfnrt'.includes(text[letter]!)) {
      return letter;
    }
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

function unexpected(text: string, at: number, expected: string): JsonTextError {
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/);
  const line = lines.at(-1)!;
  const pairs = line.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  const column = line.length - pairs + 1;
  return new JsonTextError(
    `expected ${expected}, got ${
      describeCharacter(text, at)
    } at line ${lines.length}, column ${column}`,
  );
}

/** Quotes a character, or gives its code point where nobody could see it. */
function describeCharacter(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  if (codePoint === undefined) return "the end of the text";
  const character = String.fromCodePoint(codePoint);
  if (!/[\p{C}\p{Z}]/u.test(character)) return describe(character);
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
