/** The error for the value of a parameter that an operation does not accept. */
export class InputError extends Error {
  override name = "InputError";

  /**
   * @param parameters Name of the parameter, or names of several of which one must change.
   * @param rule The valid values and the one received, such as `must be 2 or 4, got 3`.
   */
  constructor(
    readonly parameters: string | readonly string[],
    readonly rule: string,
  ) {
    super(describe(parameters, rule, (name) => `"${name}"`));
  }

  /**
   * Returns the message with the names of parameters in another notation, such as
   * `--count`.
   */
  describe(writeName: (name: string) => string): string {
    return describe(this.parameters, this.rule, writeName);
  }
}

/** The error for a value that is known, but that the platform does not support. */
export class UnsupportedError extends InputError {
  override name = "UnsupportedError";
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
