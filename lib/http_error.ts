/**
 * The error a request deserves: thrown anywhere, answered as JSON in one place.
 * It is no `Error`, as nobody reads its stack, and to take one would cost a
 * refused request a fifth of its time.
 */
export class HttpError {
  /** HTTP status of the answer, 400 to 599. */
  readonly status: number;
  /**
   * What the client reads: the field or parameter, what it must be, and what
   * came.
   */
  readonly message: string;
  /** Headers that the answer carries besides the usual ones. */
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status HTTP status of the answer, 400 to 599.
   * @param message What the client reads.
   * @param headers Headers that the answer carries besides the usual ones.
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

  /** How it stands in the log where it escapes. */
  toString(): string {
    return `HttpError ${this.status}: ${this.message}`;
  }
}
