import { logError } from "../log.ts";

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

/**
 * Exits after an error. The status is 0 if the reader of standard output has closed the pipe.
 *
 * @throws any other error that isn't an `ExitError`.
 */
export function exitAfter(error: unknown): never {
  if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
  if (!(error instanceof ExitError)) throw error;
  logError(error.message);
  Deno.exit(error.status);
}
