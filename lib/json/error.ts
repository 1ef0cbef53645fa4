/** The error for a text that is not valid JSON. */

import { formatValue } from "../format_value.ts";
import type { Work } from "../work.ts";
import { isContinuation, readCodePoint, type TextBytes } from "./utf8.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The error for a text that is not JSON. The message ends in `at line L, column C`. */
export class JsonTextError extends Error {
  /** Name of the error: always `JsonTextError`. */
  override name = "JsonTextError";
  /** Line of the error, counted from 1; lines end at LF, CR or CRLF. */
  readonly line: number;
  /** Column of the error, counted from 1 in Unicode code points. */
  readonly column: number;
  /** Offset of the error, counted from 0 in UTF-16 code units. */
  readonly offset: number;

  /**
   * Creates the error, and appends the position to the message.
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
 * Thrown at the first character that cannot continue a JSON text, or at the end of an
 * incomplete text. `withPosition()` turns it into a `JsonTextError` with line and column.
 */
export class UnexpectedByte {
  /** Offset of the character, in bytes. */
  readonly at: number;
  /** Description of a valid text at this offset, such as `a digit`. */
  readonly expected: string;

  /**
   * @param at Offset of the character, in bytes.
   * @param expected Description of a valid text at this offset, such as `a digit`.
   */
  constructor(at: number, expected: string) {
    this.at = at;
    this.expected = expected;
  }
}

/**
 * Number of bytes between two pauses while lines are counted; a power of two, so that `&`
 * gives the remainder of a division.
 */
const PAUSE_LENGTH = 64 * 1024;

/**
 * Runs a computation that reads a JSON text. If the computation throws an `UnexpectedByte`,
 * finds the line and column of that byte, with pauses, and throws a `JsonTextError`
 * instead.
 *
 * @throws {JsonTextError} if the text is not JSON.
 */
export function* withPosition<Result>(
  text: TextBytes,
  work: Work<Result>,
): Work<Result> {
  try {
    return yield* work;
  } catch (error) {
    throw error instanceof UnexpectedByte ? yield* locate(text, error) : error;
  }
}

/**
 * Creates the `JsonTextError` for an `UnexpectedByte`. Lines and columns count from 1,
 * columns in code points. Lines end at LF, CR or CRLF.
 */
function* locate(
  text: TextBytes,
  { at, expected }: UnexpectedByte,
): Work<JsonTextError> {
  let line = 1;
  let column = 1;
  let offset = 0;
  for (let i = 0; i < at; i += 1) {
    if ((i & PAUSE_LENGTH - 1) === PAUSE_LENGTH - 1) yield;
    const byte = text[i]!;
    if (isContinuation(byte)) continue;
    // A character of four bytes in UTF-8 has two code units in UTF-16; any other has one.
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
    : formatValue(String.fromCodePoint(codePoint));
  return new JsonTextError(
    `expected ${expected}, got ${character}`,
    { line, column, offset },
  );
}
