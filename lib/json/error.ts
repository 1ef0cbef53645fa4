/** The error for a text that is not valid JSON. */

import { describe } from "../quote.ts";

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
 * Creates the error for the character at an offset, or for the end of the text.
 * Lines end at LF, CR or CRLF; lines and columns count from 1, columns in code
 * points.
 */
export function unexpected(
  text: string,
  at: number,
  expected: string,
): JsonTextError {
  const lines = text.slice(0, at).split(/\r\n|[\r\n]/);
  const line = lines.at(-1)!;
  const pairs = line.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  const column = line.length - pairs + 1;
  return new JsonTextError(
    `expected ${expected}, got ${describeCharacter(text, at)}`,
    { line: lines.length, column, offset: at },
  );
}

/** Describes the character at an offset, or the end of the text. */
function describeCharacter(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined
    ? "the end of the text"
    : describe(String.fromCodePoint(codePoint));
}
