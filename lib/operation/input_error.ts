/** A place in the value of a parameter. */
export interface InputPosition {
  /** Offset, counted from 0 in UTF-16 code units. */
  readonly offset: number;
  /** Line and column, counted from 1 (columns in code points), for documents with lines. */
  readonly lineAndColumn?: { readonly line: number; readonly column: number };
}

/** Facts about an `InputError` for callers that present it in their own way. */
export interface InputErrorDetails {
  /** `json` if the value isn't JSON, `binary` if it decodes to bytes that aren't UTF-8. */
  readonly kind?: "json" | "binary";
  /** The problem alone, such as `expected a digit, got "x"`; by default the requirement. */
  readonly reason?: string;
  /** Where the value is invalid. The message ends with it. */
  readonly position?: InputPosition;
}

/**
 * The error for a parameter whose value is missing or invalid, or for several parameters
 * whose values are invalid together.
 */
export class InputError extends Error {
  override name = "InputError";
  readonly kind: InputErrorDetails["kind"];
  readonly reason: string;
  readonly position: InputPosition | undefined;

  /**
   * @param parameters Name of the parameter, or names of several parameters, at least one of
   * which must get another value.
   * @param requirement The message after the names and before the position, such as
   * `must be 2 or 4, got 3`.
   */
  constructor(
    readonly parameters: string | readonly string[],
    readonly requirement: string,
    { kind, reason = requirement, position }: InputErrorDetails = {},
  ) {
    super(describe(parameters, requirement, { position }));
    this.kind = kind;
    this.reason = reason;
    this.position = position;
  }

  /**
   * Returns the message with the names of the parameters as `writeName` writes them, such
   * as `--count` instead of `"count"`.
   */
  describe(writeName: (name: string) => string): string {
    const { position } = this;
    return describe(this.parameters, this.requirement, { position, writeName });
  }
}

/**
 * The error for a known value that the service does not support, such as the algorithm
 * `md5`. Endpoints send it with status 501.
 */
export class UnsupportedError extends InputError {
  override name = "UnsupportedError";
}

/** The error for values whose result would be too large. */
export class ResultSizeError extends InputError {
  override name = "ResultSizeError";

  /**
   * @param byteLength Size that the result would have, in bytes.
   * @param maxBytes Largest permitted size, in bytes, inclusive.
   */
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

function describe(
  parameters: string | readonly string[],
  requirement: string,
  { position, writeName = (name) => `"${name}"` }: {
    readonly position: InputPosition | undefined;
    readonly writeName?: (name: string) => string;
  },
): string {
  return nameParameters(parameters, writeName) + " " + requirement +
    formatPosition(position);
}

function nameParameters(
  parameters: string | readonly string[],
  writeName: (name: string) => string,
): string {
  if (typeof parameters === "string") return writeName(parameters);
  const names = parameters.map(writeName);
  const last = names.pop();
  return `at least one of ${names.join(", ")} or ${last}`;
}

/** Returns the end of a message, such as ` at line 1, column 4`. */
function formatPosition(position: InputPosition | undefined): string {
  if (position === undefined) return "";
  const { offset, lineAndColumn } = position;
  if (lineAndColumn === undefined) return ` at offset ${offset}`;
  return ` at line ${lineAndColumn.line}, column ${lineAndColumn.column}`;
}
