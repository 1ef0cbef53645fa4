/**
 * The log: one line per event. Request lines contain the method and path, never the query,
 * body, or client IP address. Warnings and errors go to standard error.
 *
 * `console` blocks while a pipe is full, so if nothing reads the log, the service hangs after
 * 64 KiB. With `OTEL_DENO=true`, Deno also exports the log to OpenTelemetry.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- every other module logs through this one

export function logEvent(message: string): void {
  write("info", message);
}

export function logWarning(message: string): void {
  write("warn", message);
}

/** Logs a message and, if an error is provided, the error's stack, all on one line. */
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
    // For example, the disk might be full. The service continues without logging.
  }
}

function formatError(error: unknown): string {
  const details = error instanceof Error ? error.stack ?? error : error;
  // A regular expression such as /\s*\n\s*/ would take quadratic time.
  return String(details).split("\n").map((line) => line.trim())
    .filter((line) => line !== "").join(" | ");
}
