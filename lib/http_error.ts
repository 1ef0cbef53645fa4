/** Headers that scripts of other origins can read only if `Access-Control-Expose-Headers` lists them. */
const EXPOSED = ["allow", "retry-after"];

/**
 * An error that is answered with its HTTP status, and its message as JSON. It does not
 * extend `Error`: recording a stack trace, which is never shown, would take a fifth of the
 * time of a rejected request (Deno 2.9.6).
 */
export class HttpError {
  /** HTTP status of the response, 400 to 599. */
  readonly status: number;
  /** Message for the client: the field or parameter, its valid values, and the value received. */
  readonly message: string;
  /** Headers of the response, besides those that every response has. */
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status HTTP status of the response, 400 to 599.
   * @param message Message for the client.
   * @param headers Headers of the response, besides those that every response has.
   */
  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.status = status;
    this.message = message;
    this.headers = headers;
  }

  /**
   * The headers of the response. If `Allow` or `Retry-After` is among them,
   * `Access-Control-Expose-Headers` is added, so that scripts of other origins can read
   * these two headers (Fetch standard, "CORS protocol").
   */
  get exposedHeaders(): Readonly<Record<string, string>> {
    const names = EXPOSED.filter((name) => name in this.headers);
    if (names.length === 0) return this.headers;
    return {
      ...this.headers,
      "access-control-expose-headers": names.join(", "),
    };
  }

  /** Text of the error in the log. */
  toString(): string {
    return `HttpError ${this.status}: ${this.message}`;
  }
}
