/**
 * The log: one line for each event. A request is logged with its method and path, never
 * with its query, its body, or the IP address of the client. Expected events go to standard
 * output, warnings and errors to standard error.
 *
 * Deno exports `console` to OpenTelemetry if `OTEL_DENO` is `true`. `console` waits while a
 * pipe is full, so a log that nothing reads blocks the service, but only after 64 KiB.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- all other modules log through this one

export function logEvent(message: string): void {
  write("info", message);
}

export function logWarning(message: string): void {
  write("warn", message);
}

/** Logs a message, and an error with its stack if there is one, in one line. */
export function logError(message: string, error?: unknown): void {
  const line = error === undefined
    ? message
    : `${message}: ${formatError(error)}`;
  write("error", line);
}

function write(level: "info" | "warn" | "error", line: string): void {
  try {
    console[level](line);
  } catch {
    // The disk is full, for example. The service continues without a log.
  }
}

function formatError(error: unknown): string {
  const details = error instanceof Error ? error.stack ?? error : error;
  // A regular expression for newlines and whitespace around them would take quadratic time.
  return String(details).split("\n").map((line) => line.trim())
    .filter((line) => line !== "").join(" | ");
}
