/** An error that makes the program write one line to standard error and exit. */
export class ExitError extends Error {
  override name = "ExitError";

  /**
   * @param status Exit status: 2 for an invalid command line, otherwise 1.
   * @param message The line, such as `cannot write: no space left on device`.
   */
  constructor(readonly status: 1 | 2, message: string) {
    super(message);
  }
}
