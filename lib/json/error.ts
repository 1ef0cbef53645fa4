/** The errors for invalid JSON, and for formatted JSON that would be too large. */

import { formatValue } from "../format_value.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The error for a string that isn't JSON. Its position is that of the first character that
 * cannot continue a JSON document, or the end of an incomplete document. The message ends
 * with line and column.
 */
export class JsonTextError extends Error {
  /**
   * Always `JsonTextError`. Identifies errors of another realm, for which `instanceof` is
   * `false`.
   */
  override name = "JsonTextError";
  /** Line of the error, counted from 1; lines end at LF, CR or CRLF. */
  readonly line: number;
  /** Column of the error, counted from 1 in Unicode code points. */
  readonly column: number;
  /** Offset of the error, counted from 0 in UTF-16 code units. */
  readonly offset: number;

  /** Builds the message from the reason, the line and the column. */
  constructor(
    /** The message without the position, such as `expected a digit, got "x"`. */
    readonly reason: string,
    position: Pick<JsonTextError, "line" | "column" | "offset">,
  ) {
    const { line, column, offset } = position;
    super(`${reason} at line ${line}, column ${column}`);
    this.line = line;
    this.column = column;
    this.offset = offset;
  }
}

/** The error for JSON whose formatted form would be larger than `maxBytes`. */
export class JsonSizeError extends Error {
  /**
   * Always `JsonSizeError`. Identifies errors of another realm, for which `instanceof` is
   * `false`.
   */
  override name = "JsonSizeError";

  /** Builds the message from both sizes, in bytes of UTF-8. */
  constructor(
    /** Size of the formatted JSON. */
    readonly byteLength: number,
    /** Largest permitted size, inclusive. */
    readonly maxBytes: number,
  ) {
    super(`the result would have ${byteLength} bytes, more than ${maxBytes}`);
  }
}

/**
 * Creates the error for a string that isn't JSON.
 *
 * @param offset Offset of the error, in UTF-16 code units.
 * @param expected Description of what is valid at this offset, such as `a digit`.
 */
export function createTextError(
  text: string,
  offset: number,
  expected: string,
): JsonTextError {
  let line = 1;
  let column = 1;
  for (let at = 0; at < offset; at += 1) {
    const code = text.charCodeAt(at);
    const endsLine = code === LINE_FEED ||
      code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED;
    // Of a surrogate pair, only the second half is counted.
    const endsCharacter = code < 0xd800 || code > 0xdbff;
    if (endsLine) {
      line += 1;
      column = 1;
    } else if (endsCharacter) {
      column += 1;
    }
  }
  const character = offset < text.length
    ? formatValue(String.fromCodePoint(text.codePointAt(offset)!))
    : "the end of the text";
  const reason = `expected ${expected}, got ${character}`;
  return new JsonTextError(reason, { line, column, offset });
}
