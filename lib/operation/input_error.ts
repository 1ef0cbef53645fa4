import { formatAlternatives } from "../format_value.ts";

/** A position in a parameter's value. */
export interface InputPosition {
  /** Offset, counted from 0 in UTF-16 code units. */
  readonly offset: number;
  /** Line and column in a multiline document, counted from 1. Columns count code points. */
  readonly lineAndColumn?: { readonly line: number; readonly column: number };
}

export interface InputErrorDetails {
  /** `json` if the value isn't JSON, `binary` if it decodes to bytes that aren't UTF-8. */
  readonly kind?: "json" | "binary";
  /** The problem, such as `expected a digit, got "x"`. The default is the requirement. */
  readonly reason?: string;
  /** Appended to the message. */
  readonly position?: InputPosition;
}

/** The error for a missing or invalid value, or for an invalid combination of values. */
export class InputError extends Error {
  override name = "InputError";
  readonly kind: InputErrorDetails["kind"];
  readonly reason: string;
  readonly position: InputPosition | undefined;

  /**
   * @param parameters One name, or several names if at least one of their values must change.
   * @param requirement What follows the names in the message: `must be 2 or 4, got 3`.
   */
  constructor(
    readonly parameters: string | readonly string[],
    readonly requirement: string,
    { kind, reason = requirement, position }: InputErrorDetails = {},
  ) {
    const names = formatNames(parameters, (name) => `"${name}"`);
    super(`${names} ${requirement}${formatPosition(position)}`);
    this.kind = kind;
    this.reason = reason;
    this.position = position;
  }

  /** Returns the message with differently formatted parameter names, such as `--count`. */
  describe(formatName: (name: string) => string): string {
    const names = formatNames(this.parameters, formatName);
    return `${names} ${this.requirement}${formatPosition(this.position)}`;
  }
}

function formatNames(
  parameters: string | readonly string[],
  formatName: (name: string) => string,
): string {
  if (typeof parameters === "string") return formatName(parameters);
  return `at least one of ${formatAlternatives(parameters.map(formatName))}`;
}

/** The error for a known but unsupported value, such as `md5`. */
export class UnsupportedError extends InputError {
  override name = "UnsupportedError";
}

/** The error for values whose result would be too large. */
export class ResultSizeError extends InputError {
  override name = "ResultSizeError";

  /** @param byteLength How large the result would be, in bytes. */
  constructor(
    parameter: string,
    readonly byteLength: number,
    readonly maxBytes: number,
  ) {
    super(
      parameter,
      `must produce a result of at most ${maxBytes} bytes, got ${byteLength}`,
    );
  }
}

function formatPosition(position: InputPosition | undefined): string {
  if (position === undefined) return "";
  const { offset, lineAndColumn } = position;
  if (lineAndColumn === undefined) return ` at offset ${offset}`;
  return ` at line ${lineAndColumn.line}, column ${lineAndColumn.column}`;
}
