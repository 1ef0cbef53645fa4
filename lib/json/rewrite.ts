/**
 * Formats and minifies JSON texts without loss. Only the white space between tokens
 * changes: numbers, escapes, the order of names and duplicate names stay as they are. The
 * result is written as a JSON string, as a response contains it.
 *
 * @module
 */

import type { Bytes } from "../values/buffer.ts";
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
  TO_CLOSER,
} from "./scan.ts";
import {
  MIN_SECOND_SURROGATE_BYTE,
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

  /**
   * Builds the message from both sizes.
   *
   * @param maxBytes Largest permitted size, in bytes of UTF-8, inclusive.
   */
  constructor(byteLength: number, maxBytes: number) {
    super(`the result would have ${byteLength} bytes, more than ${maxBytes}`);
    this.byteLength = byteLength;
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
 * Formats a checked text like `JSON.stringify(value, null, indent)`: one element or member
 * per line, and `{}` or `[]` if there are none. If `indent` is 0, minifies the text.
 * Nothing is written before the result is.
 *
 * @param scan The result of `scanText()`, from which the length of the result follows.
 * @throws {JsonSizeError} if the formatted text would be larger than `maxBytes`.
 */
export function rewriteText(scan: Scan, options: RewriteOptions): JsonString {
  const byteLength = measureContent(scan, options) + 2;
  return new JsonString(byteLength, (output) => {
    // Fills all bytes with spaces in one call. `write()` leaves those that indent lines or
    // follow a colon, and overwrites the others.
    output.fill(SPACE);
    output[0] = DOUBLE_QUOTE;
    output[byteLength - 1] = DOUBLE_QUOTE;
    write(scan.text, options.indent, output);
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
 * Has 1 for the bytes outside of strings that `write()` does not simply copy when it
 * formats a text: white space, the first quote of a string, brackets, braces, commas,
 * colons, and the zero byte at the end of the text.
 */
const GAPS = createTable('\0\t\n\r "[]{},:');
/**
 * Has 1 for the bytes outside of strings that `write()` does not simply copy when it
 * minifies a text: white space, the first quote of a string, and the zero byte at the end
 * of the text.
 */
const MINIFIED_GAPS = createTable('\0\t\n\r "');
/**
 * Has 1 for each byte at which `copyPlain()` must stop in a string: `"` and `\`, which are
 * escaped in the result, and the first byte of a lone surrogate, which becomes an escape
 * sequence.
 */
const SPECIAL = createTable('"\\');
SPECIAL[SURROGATE_BYTE] = 1;

/**
 * Writes the tokens of a valid JSON text as the content of a JSON string, with line breaks
 * and indentation between the tokens unless `indent` is 0. The content of the JSON string
 * must be filled with spaces before.
 */
function write(
  text: TerminatedText,
  indent: number,
  output: Bytes,
): void {
  const gaps = indent === 0 ? MINIFIED_GAPS : GAPS;
  let spaces = 0;
  let at = 0;
  // The first byte is the quote.
  let length = 1;
  for (;;) {
    let code = text[at]!;
    while (gaps[code] === 0) {
      output[length++] = code;
      code = text[++at]!;
    }
    at += 1;
    if (code === DOUBLE_QUOTE) {
      output[length++] = BACKSLASH;
      output[length++] = DOUBLE_QUOTE;
      for (;;) {
        const plainStart = at;
        at = copyPlain(text, plainStart, output, length);
        length += at - plainStart;
        code = text[at]!;
        if (code === SURROGATE_BYTE) {
          if (text[at + 1]! < MIN_SECOND_SURROGATE_BYTE) {
            output[length++] = code;
            at += 1;
          } else {
            writeSurrogate(text, at, output, length);
            length += 6;
            at += 3;
          }
          continue;
        }
        output[length++] = BACKSLASH;
        output[length++] = code;
        at += 1;
        if (code === DOUBLE_QUOTE) break;
        code = text[at]!;
        if (code === DOUBLE_QUOTE || code === BACKSLASH) {
          output[length++] = BACKSLASH;
        }
        output[length++] = code;
        at += 1;
      }
    } else if (code === COMMA) {
      output[length++] = COMMA;
      at = skipWhiteSpace(text, at);
      length = writeLineBreak(output, length) + spaces;
    } else if (code <= SPACE) {
      if (code === 0) return;
      at = skipWhiteSpace(text, at);
    } else if (code === COLON) {
      output[length] = COLON;
      length += 2;
      at = skipWhiteSpace(text, at);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      output[length++] = code;
      at = skipWhiteSpace(text, at);
      if (text[at] === code + TO_CLOSER) {
        output[length++] = code + TO_CLOSER;
        at += 1;
      } else {
        spaces += indent;
        length = writeLineBreak(output, length) + spaces;
      }
    } else {
      spaces -= indent;
      length = writeLineBreak(output, length) + spaces;
      output[length++] = code;
    }
  }
}

/**
 * Copies the bytes of a string before the next `"`, `\` or `SURROGATE_BYTE`. Returns the
 * offset of this byte in `text`.
 */
function copyPlain(
  text: TerminatedText,
  at: number,
  output: Uint8Array,
  length: number,
): number {
  for (;;) {
    const code = text[at]!;
    if (SPECIAL[code] !== 0) return at;
    output[length] = code;
    length += 1;
    at += 1;
  }
}

/** Writes the escape sequence `\n` at an offset. Returns the offset after the sequence. */
function writeLineBreak(output: Uint8Array, length: number): number {
  output[length] = BACKSLASH;
  output[length + 1] = LOWER_N;
  return length + 2;
}

/** Writes the escape sequence of a lone surrogate, such as `\ud800`. */
function writeSurrogate(
  text: TerminatedText,
  at: number,
  output: Uint8Array,
  length: number,
): void {
  const code = 0xd000 | (text[at + 1]! & 0x3f) << 6 | text[at + 2]! & 0x3f;
  output[length] = BACKSLASH;
  output[length + 1] = LOWER_U;
  for (let digit = 0; digit < 4; digit += 1) {
    const value = code >> 12 - 4 * digit & 0xf;
    output[length + 2 + digit] = HEX_DIGITS.charCodeAt(value);
  }
}
