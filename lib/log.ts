/**
 * Standard output, and the log: a line an event, never a client's data. Each has
 * the level that OpenTelemetry shows; information goes to standard output,
 * warnings and errors to standard error.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- this module is where the console is used

/** Logs an event of the service's own life. */
export function logEvent(message: string): void {
  console.info(message);
}

/** Logs what whoever runs the service should know, although it serves. */
export function logWarning(message: string): void {
  console.warn(message);
}

/** Logs an error, where it was unexpected with its stack, folded into one line. */
export function logError(message: string, error?: unknown): void {
  if (error === undefined) return console.error(message);
  const details = error instanceof Error ? error.stack ?? error : error;
  console.error(
    `${message}: ${String(details).replaceAll(/\s*\n\s*/g, " | ")}`,
  );
}

/** Prints what was asked for on the command line. */
export function print(text: string): void {
  console.log(text);
}

/** Logs a rejection that nobody handles, which otherwise ends the process. */
export function surviveRejections(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    logError("unhandled rejection", event.reason);
  });
}
