/**
 * Headers of errors that `Access-Control-Expose-Headers` lists, so that scripts of other
 * origins can read them; in lower case.
 */
const EXPOSED = ["allow", "retry-after"];

/** An error whose HTTP status, message and headers are sent to the client. */
export class HttpError extends Error {
  override name = "HttpError";

  /**
   * @param status HTTP status of the response, 400 to 599.
   * @param message Message for the client. A message about a field, parameter or header
   * gives its name, its valid values, and the value received.
   * @param headers Headers of the response, besides those that every response has; names in
   * lower case.
   */
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /**
   * `headers`, to which `Access-Control-Expose-Headers` is added if they have `Allow` or
   * `Retry-After`: scripts of other origins can read only headers that it lists (Fetch
   * standard, "CORS protocol").
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
