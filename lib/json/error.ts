import { formatValue } from "../format_value.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The error for invalid JSON. It points to the first character that cannot continue a JSON
 * document, or to the end of an incomplete document.
 */
export class JsonTextError extends Error {
  /** Always `JsonTextError`. Works across realms, where `instanceof` doesn't. */
  override name = "JsonTextError";
  /** Line, counted from 1. Lines end with LF, CR, or CRLF. */
  readonly line: number;
  /** Column, counted from 1 in Unicode code points. */
  readonly column: number;
  /** Offset, counted from 0 in UTF-16 code units. */
  readonly offset: number;

  /** Creates an error whose message is the reason, followed by line and column. */
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

/** The error for JSON that would exceed `maxBytes` when formatted. */
export class JsonSizeError extends Error {
  /** Always `JsonSizeError`. Works across realms, where `instanceof` doesn't. */
  override name = "JsonSizeError";

  /** Creates an error from both sizes, in bytes of UTF-8. */
  constructor(
    /** Size that the formatted JSON would have. */
    readonly byteLength: number,
    /** Largest permitted size, inclusive. */
    readonly maxBytes: number,
  ) {
    super(`the result would have ${byteLength} bytes, more than ${maxBytes}`);
  }
}

/** @param expected What is valid at the offset, such as `a digit`. */
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
    // Counts a surrogate pair once, at its second half.
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
