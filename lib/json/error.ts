/** The error for a text that is not valid JSON. */

import { describe } from "../quote.ts";
import { isContinuation, readCodePoint, type TextBytes } from "./utf8.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The error for a text that is not JSON. The message ends in `at line L, column C`. */
export class JsonTextError extends Error {
  /** `JsonTextError`. */
  override name = "JsonTextError";
  /** Line of the error, counted from 1; lines end at LF, CR or CRLF. */
  readonly line: number;
  /** Column of the error, counted from 1 in Unicode code points. */
  readonly column: number;
  /** Offset of the error, counted from 0 in UTF-16 code units. */
  readonly offset: number;

  /**
   * Makes the error.
   *
   * @param reason The expected and the actual character, without the position.
   * @param position The position of the error.
   */
  constructor(
    reason: string,
    position: Pick<JsonTextError, "line" | "column" | "offset">,
  ) {
    const { line, column, offset } = position;
    super(`${reason} at line ${line}, column ${column}`);
    this.line = line;
    this.column = column;
    this.offset = offset;
  }
}

/**
 * Creates the error for the character at an offset, in bytes, or for the end of the
 * text. Lines end at LF, CR or CRLF; lines and columns count from 1, columns in code
 * points.
 */
export function unexpected(
  text: TextBytes,
  at: number,
  expected: string,
): JsonTextError {
  let line = 1;
  let column = 1;
  let offset = 0;
  for (let i = 0; i < at; i += 1) {
    const byte = text[i]!;
    if (isContinuation(byte)) continue;
    // Only code points of four bytes have two code units.
    offset += byte < 0xf0 ? 1 : 2;
    column += 1;
    const endsLine = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    const isWithinLineEnd = byte === CARRIAGE_RETURN && i + 1 < at &&
      text[i + 1] === LINE_FEED;
    if (!endsLine || isWithinLineEnd) continue;
    line += 1;
    column = 1;
  }
  const codePoint = readCodePoint(text, at);
  const character = codePoint === undefined
    ? "the end of the text"
    : describe(String.fromCodePoint(codePoint));
  return new JsonTextError(
    `expected ${expected}, got ${character}`,
    { line, column, offset },
  );
}
