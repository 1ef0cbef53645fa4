import { formatValue } from "../format_value.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The error for invalid JSON. Its position is the first character that cannot continue a JSON
 * document, or the end of the text if the document is incomplete.
 */
export class JsonTextError extends Error {
  /** Always `JsonTextError`. Unlike `instanceof`, it identifies errors from other realms. */
  override name = "JsonTextError";
  /** Line, counted from 1. Lines end with LF, CR, or CRLF. */
  readonly line: number;
  /** Column, counted from 1 in Unicode code points. */
  readonly column: number;
  /** Offset, counted from 0 in UTF-16 code units. */
  readonly offset: number;

  /** Creates an error whose message is the reason, followed by the line and column. */
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
  /** Always `JsonSizeError`. Unlike `instanceof`, it identifies errors from other realms. */
  override name = "JsonSizeError";

  /** Creates an error from the two sizes, in bytes of UTF-8. */
  constructor(
    /** How large the formatted JSON would be. */
    readonly byteLength: number,
    /** The maximum size, inclusive. */
    readonly maxBytes: number,
  ) {
    super(`the result must be at most ${maxBytes} bytes, got ${byteLength}`);
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
    // Counts a surrogate pair as one character, at its second half.
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
