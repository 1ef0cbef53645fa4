/**
 * Headers that scripts of other origins can read only if `Access-Control-Expose-Headers`
 * lists them.
 */
const EXPOSED = ["allow", "retry-after"];

/** An error that is answered with its HTTP status, and its message as JSON. */
export class HttpError extends Error {
  override name = "HttpError";

  /**
   * @param status HTTP status of the response, 400 to 599.
   * @param message Message for the client: the field or parameter, its valid values, and the
   * value received.
   * @param headers Headers of the response, besides those that every response has.
   */
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
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
}
