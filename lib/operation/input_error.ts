/**
 * The error for a parameter whose value is missing or invalid, or for several parameters
 * whose values are invalid together.
 */
export class InputError extends Error {
  override name = "InputError";

  /**
   * @param parameters Name of the parameter, or names of several parameters, one of which
   * must get another value.
   * @param rule The message after the name or names, such as `must be 2 or 4, got 3`.
   */
  constructor(
    readonly parameters: string | readonly string[],
    readonly rule: string,
  ) {
    super(describe(parameters, rule, (name) => `"${name}"`));
  }

  /**
   * Returns the message with the names of the parameters as `writeName` writes them, such
   * as `--count` in place of `"count"`.
   */
  describe(writeName: (name: string) => string): string {
    return describe(this.parameters, this.rule, writeName);
  }
}

/**
 * The error for a known value that the service does not support, such as the algorithm
 * `md5`. Endpoints answer it with status 501.
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
    maxBytes: number,
  ) {
    super(
      parameter,
      `must give a result of at most ${maxBytes} bytes, got ${byteLength}`,
    );
  }
}

function describe(
  parameters: string | readonly string[],
  rule: string,
  writeName: (name: string) => string,
): string {
  if (typeof parameters === "string") return `${writeName(parameters)} ${rule}`;
  const names = parameters.map(writeName);
  const last = names.pop();
  return `one of ${names.join(", ")} and ${last} ${rule}`;
}
