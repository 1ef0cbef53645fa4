import { HttpError } from "../http/http_error.ts";

/** The error for the value of a parameter that an operation does not accept. */
export class InputError extends HttpError {
  override name = "InputError";

  /**
   * @param names The parameter; if several are named, one of them breaks the rule.
   * @param rule The valid values and the one received: `must be 2 or 4, got 3`.
   * @param status HTTP status of the response.
   */
  constructor(
    readonly names: string | readonly string[],
    readonly rule: string,
    status = 400,
  ) {
    super(status, describe(names, rule, (name) => `"${name}"`));
  }

  /** Returns the message with another notation of the names, such as that of a terminal. */
  describe(label: (name: string) => string): string {
    return describe(this.names, this.rule, label);
  }
}

function describe(
  names: string | readonly string[],
  rule: string,
  label: (name: string) => string,
): string {
  if (typeof names === "string") return `${label(names)} ${rule}`;
  const labels = names.map(label);
  return `one of ${labels.slice(0, -1).join(", ")} and ${
    labels.at(-1)
  } ${rule}`;
}
