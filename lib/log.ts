/**
 * The log: one line for each event, without data of clients. Information goes to
 * standard output, warnings and errors to standard error. OpenTelemetry derives
 * the level of a line from the console method.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- all other modules log through this one

/** Logs an expected event, such as the start of the service or a request. */
export function logEvent(message: string): void {
  console.info(message);
}

/** Logs a problem that does not stop the service. */
export function logWarning(message: string): void {
  console.warn(message);
}

/** Logs a message and, if given, an error with its stack, in one line. */
export function logError(message: string, error?: unknown): void {
  if (error === undefined) return console.error(message);
  const details = error instanceof Error ? error.stack ?? error : error;
  console.error(
    `${message}: ${String(details).replaceAll(/\s*\n\s*/g, " | ")}`,
  );
}

/** Prints the output of a command-line option, such as `--version`. */
export function print(text: string): void {
  console.log(text);
}

/** Logs unhandled promise rejections, which otherwise end the process. */
export function logUnhandledRejections(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    logError("unhandled rejection", event.reason);
  });
}
