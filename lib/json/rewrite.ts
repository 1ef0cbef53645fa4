/**
 * Writes formatted and minified texts, as the JSON strings that a response contains.
 *
 * @module
 */

import type { Bytes } from "../buffer.ts";
import { JsonString } from "./json_string.ts";
import {
  BACKSLASH,
  COLON,
  COMMA,
  createTable,
  DOUBLE_QUOTE,
  LOWER_U,
  OPEN_BRACE,
  OPEN_BRACKET,
  type Scan,
  skipWhiteSpace,
  SPACE,
  SPECIAL,
  TO_CLOSER,
} from "./scan.ts";
import {
  MIN_SECOND_SURROGATE_BYTE,
  readCodePoint,
  SURROGATE_BYTE,
  type TerminatedText,
} from "./terminated_text.ts";

const LOWER_N = 0x6e;

const HEX_DIGITS = "0123456789abcdef";

/** The error for a text whose formatted form would be larger than `maxBytes`. */
export class JsonSizeError extends Error {
  /**
   * Always `JsonSizeError`. Identifies errors of another realm, for which `instanceof` is
   * `false`.
   */
  override name = "JsonSizeError";
  /** Size that the formatted text would have, in bytes of UTF-8. */
  readonly byteLength: number;
  /** Largest permitted size, in bytes of UTF-8, inclusive. */
  readonly maxBytes: number;

  /**
   * Builds the message from both sizes.
   *
   * @param maxBytes Largest permitted size, in bytes of UTF-8, inclusive.
   */
  constructor(byteLength: number, maxBytes: number) {
    super(`the result would have ${byteLength} bytes, more than ${maxBytes}`);
    this.byteLength = byteLength;
    this.maxBytes = maxBytes;
  }
}

export interface RewriteOptions {
  /** Spaces for each level of nesting; 0 removes all white space between tokens. */
  readonly indent: number;
  /**
   * Largest formatted or minified text, in bytes of UTF-8, inclusive: without the quotes
   * and escapes that the text gets when it is written as a JSON string.
   */
  readonly maxBytes: number;
}

/**
 * Formats a checked text as `formatJson()` does or, if `indent` is 0, minifies it. The
 * tokens are copied only when the result is written.
 *
 * @param scan The result of `scanText()`, from which the length of the result follows.
 * @throws {JsonSizeError} if the formatted text would be larger than `maxBytes`.
 */
export function rewriteText(scan: Scan, options: RewriteOptions): JsonString {
  const byteLength = measureContent(scan, options) + 2;
  return new JsonString(byteLength, (output) => {
    // Fills all bytes with spaces in one call. `writeTokens()` leaves those that indent
    // lines or follow a colon, and overwrites the others.
    output.fill(SPACE);
    output[0] = DOUBLE_QUOTE;
    output[byteLength - 1] = DOUBLE_QUOTE;
    writeTokens(scan.text, options.indent, output);
  });
}

/**
 * Returns the number of bytes between the quotes of the result of `rewriteText()`.
 *
 * @throws {JsonSizeError} if the formatted text would be larger than `maxBytes`.
 */
function measureContent(
  { text, gapBytes, escapeBytes, colons, lines, levels }: Scan,
  { indent, maxBytes }: RewriteOptions,
): number {
  const minified = text.length - 1 - gapBytes;
  const breaks = indent === 0 ? 0 : lines;
  const spaces = indent === 0 ? 0 : colons + indent * levels;
  const byteLength = minified + breaks + spaces;
  if (byteLength > maxBytes) throw new JsonSizeError(byteLength, maxBytes);
  // In a JSON string, a line break is the escape sequence `\n`, of two bytes.
  return minified + escapeBytes + 2 * breaks + spaces;
}

/**
 * Has 1 for each byte outside of strings that is not simply copied when a text is
 * formatted: white space, the first quote of a string, brackets, braces, commas, colons,
 * and the zero byte at the end of the text.
 */
const FORMAT_STOPS = createTable('\0\t\n\r "[]{},:');
/** The same for a text that is minified. */
const MINIFY_STOPS = createTable('\0\t\n\r "');

/** How far a text has been copied. */
interface Progress {
  /** Offset in the text of the next byte to be read. */
  readonly at: number;
  /** Offset in the output of the next byte to be written. */
  readonly written: number;
}

/**
 * Writes the tokens of a valid JSON text as the content of a JSON string, with line breaks
 * and indentation between the tokens unless `indent` is 0. The content of the JSON string
 * must be filled with spaces before.
 */
function writeTokens(
  text: TerminatedText,
  indent: number,
  output: Bytes,
): void {
  const stops = indent === 0 ? MINIFY_STOPS : FORMAT_STOPS;
  let spaces = 0;
  let at = 0;
  // The first byte of the output is the quote.
  let written = 1;
  for (;;) {
    let code = text[at]!;
    while (stops[code] === 0) {
      output[written] = code;
      written += 1;
      at += 1;
      code = text[at]!;
    }
    if (code === DOUBLE_QUOTE) {
      ({ at, written } = copyString(text, at, output, written));
    } else if (code <= SPACE) {
      if (code === 0) return;
      at = skipWhiteSpace(text, at + 1);
    } else if (code === COMMA) {
      output[written] = code;
      written = writeLineBreak(spaces, output, written + 1);
      at = skipWhiteSpace(text, at + 1);
    } else if (code === COLON) {
      output[written] = code;
      written += 2;
      at = skipWhiteSpace(text, at + 1);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      output[written] = code;
      written += 1;
      at = skipWhiteSpace(text, at + 1);
      if (text[at] === code + TO_CLOSER) {
        output[written] = code + TO_CLOSER;
        written += 1;
        at += 1;
      } else {
        spaces += indent;
        written = writeLineBreak(spaces, output, written);
      }
    } else {
      // A closing bracket or brace.
      spaces -= indent;
      written = writeLineBreak(spaces, output, written);
      output[written] = code;
      written += 1;
      at += 1;
    }
  }
}

/** Copies a string, with its quotes and backslashes escaped. */
function copyString(
  text: TerminatedText,
  at: number,
  output: Bytes,
  written: number,
): Progress {
  written = writeEscape(DOUBLE_QUOTE, output, written);
  at += 1;
  for (;;) {
    let code = text[at]!;
    while (SPECIAL[code] === 0) {
      output[written] = code;
      written += 1;
      at += 1;
      code = text[at]!;
    }
    if (code === SURROGATE_BYTE) {
      written = copySurrogate(text, at, output, written);
      at += 3;
      continue;
    }
    written = writeEscape(code, output, written);
    at += 1;
    if (code === DOUBLE_QUOTE) return { at, written };
    // `code` is a backslash. A quote after it does not end the string.
    const next = text[at]!;
    if (next === DOUBLE_QUOTE || next === BACKSLASH) {
      written = writeEscape(next, output, written);
    } else {
      output[written] = next;
      written += 1;
    }
    at += 1;
  }
}

/**
 * Copies three bytes of which the first is `SURROGATE_BYTE`: a lone surrogate as an escape
 * sequence, such as `\ud800`, any other character unchanged. Returns the offset in the
 * output after it.
 */
function copySurrogate(
  text: TerminatedText,
  at: number,
  output: Bytes,
  written: number,
): number {
  if (text[at + 1]! < MIN_SECOND_SURROGATE_BYTE) {
    for (let i = 0; i < 3; i += 1) output[written + i] = text[at + i]!;
    return written + 3;
  }
  const surrogate = readCodePoint(text, at);
  written = writeEscape(LOWER_U, output, written);
  for (let shift = 12; shift >= 0; shift -= 4) {
    output[written] = HEX_DIGITS.charCodeAt(surrogate >> shift & 0xf);
    written += 1;
  }
  return written;
}

/** Writes a line break, and leaves spaces after it. Returns the offset after these. */
function writeLineBreak(
  spaces: number,
  output: Bytes,
  written: number,
): number {
  return writeEscape(LOWER_N, output, written) + spaces;
}

/** Writes a backslash and a byte. Returns the offset after them. */
function writeEscape(code: number, output: Bytes, written: number): number {
  output[written] = BACKSLASH;
  output[written + 1] = code;
  return written + 2;
}
