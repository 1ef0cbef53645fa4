/**
 * The log: one line for each event. Of the data that a client sends, the line for a request
 * has only method and path, never the query or the body. The address of the client is not
 * logged either. Expected events are written to standard output, warnings and errors to
 * standard error.
 *
 * Lines are written with `console`, unless `logInBackground()` was called. If `OTEL_DENO`
 * is `true`, Deno exports the lines written with `console` to OpenTelemetry, with the level
 * of the method, such as `warn`.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- all other modules log through this one

import { LineQueue } from "./line_queue.ts";

/** Longest time for which `flushLog()` waits, in milliseconds. */
const MAX_FLUSH_MS = 200;

/**
 * The queues of standard output and standard error; `undefined` before `logInBackground()`.
 */
let queues:
  | { readonly output: LineQueue; readonly errors: LineQueue }
  | undefined;

/**
 * Makes `logEvent()`, `logWarning()` and `logError()` write in the background, without
 * `console`. The methods of `console` wait until each line is written, so that a full pipe
 * that nothing reads would block the service. While 256 Ki UTF-16 code units wait for an
 * output, further lines for this output are dropped, and a later line tells the number of
 * dropped lines.
 */
export function logInBackground(): void {
  queues = {
    output: new LineQueue(Deno.stdout),
    errors: new LineQueue(Deno.stderr),
  };
}

/**
 * Resolves when all lines that were logged in the background have been written or a write
 * has failed, but after 200 ms at the latest.
 */
export async function flushLog(): Promise<void> {
  await Promise.race([
    Promise.all([queues?.output.flush(), queues?.errors.flush()]),
    new Promise((resolve) => setTimeout(resolve, MAX_FLUSH_MS)),
  ]);
}

/** Logs an expected event, such as the start of the service or a request. */
export function logEvent(message: string): void {
  write("info", message);
}

/** Logs a problem that does not stop the service. */
export function logWarning(message: string): void {
  write("warn", message);
}

/** Logs a message and, if given, an error with its stack, in one line. */
export function logError(message: string, error?: unknown): void {
  const line = error === undefined
    ? message
    : `${message}: ${describeError(error)}`;
  write("error", line);
}

/** @param level The method of `console`; the queue of `info` is that of standard output. */
function write(level: "info" | "warn" | "error", line: string): void {
  if (queues !== undefined) {
    const queue = level === "info" ? queues.output : queues.errors;
    queue.add(line);
    return;
  }
  try {
    console[level](line);
  } catch {
    // The output is closed, or its disk is full. The service goes on without a log.
  }
}

function describeError(error: unknown): string {
  const details = error instanceof Error ? error.stack ?? error : error;
  // Splits the text into lines, since a regular expression for line feeds with the white
  // space around them would take quadratic time.
  return String(details).split("\n").map((line) => line.trim())
    .filter((line) => line !== "").join(" | ");
}

/**
 * Logs unhandled promise rejections from now on. Without a listener, they end the process.
 */
export function logUnhandledRejections(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    logError("unhandled rejection", event.reason);
  });
}
