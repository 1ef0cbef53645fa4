/** The error for a text that is not JSON, with its line and column. */

import { formatValue } from "../format_value.ts";
import { readCodePoint, type TerminatedText } from "./terminated_text.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The error for a text that is not JSON. Its position is that of the first character that
 * cannot continue a JSON text, or the end of an incomplete text. The message ends in line
 * and column.
 */
export class JsonTextError extends Error {
  /**
   * Always `JsonTextError`. Identifies errors of another realm, for which `instanceof` is
   * `false`.
   */
  override name = "JsonTextError";
  /** The message without the position, such as `expected a digit, got "x"`. */
  readonly reason: string;
  /** Line of the error, counted from 1; lines end at LF, CR or CRLF. */
  readonly line: number;
  /** Column of the error, counted from 1 in Unicode code points. */
  readonly column: number;
  /** Offset of the error, counted from 0 in UTF-16 code units. */
  readonly offset: number;

  /**
   * Builds the message from the reason, the line and the column.
   *
   * @param reason The message without the position, such as `expected a digit, got "x"`.
   */
  constructor(
    reason: string,
    position: Pick<JsonTextError, "line" | "column" | "offset">,
  ) {
    const { line, column, offset } = position;
    super(`${reason} at line ${line}, column ${column}`);
    this.reason = reason;
    this.line = line;
    this.column = column;
    this.offset = offset;
  }
}

/**
 * Creates the error for a text.
 *
 * @param at Offset of the error, in bytes.
 * @param expected Description of what is valid at this offset, such as `a digit`.
 */
export function createTextError(
  text: TerminatedText,
  at: number,
  expected: string,
): JsonTextError {
  let line = 1;
  let column = 1;
  let offset = 0;
  for (let i = 0; i < at; i += 1) {
    const byte = text[i]!;
    // Only the first byte of each character is counted. A character of four bytes in UTF-8
    // has two code units in UTF-16; any other has one.
    if (byte >= 0x80 && byte < 0xc0) continue;
    offset += byte < 0xf0 ? 1 : 2;
    column += 1;
    const endsLine = byte === LINE_FEED ||
      byte === CARRIAGE_RETURN && text[i + 1] !== LINE_FEED;
    if (!endsLine) continue;
    line += 1;
    column = 1;
  }
  const character = at < text.length - 1
    ? formatValue(String.fromCodePoint(readCodePoint(text, at)))
    : "the end of the text";
  return new JsonTextError(
    `expected ${expected}, got ${character}`,
    { line, column, offset },
  );
}
