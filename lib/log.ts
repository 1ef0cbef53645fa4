/**
 * Logging: one line for each event. Information goes to
 * standard output, warnings and errors to standard error. OpenTelemetry
 * derives the level of a line from the console's method.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- all other modules log through this one

/** Logs a normal event, such as the start or a request. */
export function logEvent(message: string): void {
  console.info(message);
}

/** Logs a problem that does not stop the service. */
export function logWarning(message: string): void {
  console.warn(message);
}

/** Logs a message and, if given, an error with its stack, as one line. */
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

/** Logs unhandled rejections, which would end the process. */
export function surviveRejections(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    logError("unhandled rejection", event.reason);
  });
}
