/**
 * The log: one line for each event. The line of a request contains the method and the path
 * at most, never the query, the body or the client's address. Information goes to standard
 * output, warnings and errors to standard error. OpenTelemetry receives the lines from the
 * console, each with the level of the console method, such as `warn`.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- all other modules log through this one

import { LineQueue } from "./line_queue.ts";

/** The queues of standard output and standard error, if the log is written in the background. */
let queues:
  | { readonly output: LineQueue; readonly errors: LineQueue }
  | undefined;

/**
 * Writes all further lines in the background. The console would wait until each line is
 * written, so a full pipe that nothing reads would block the whole service. While 256 KiB
 * wait to be written, new lines are dropped, and a later line says how many.
 */
export function logInBackground(): void {
  queues = {
    output: new LineQueue(Deno.stdout),
    errors: new LineQueue(Deno.stderr),
  };
}

/** Resolves when all lines logged so far have been written; never, if nothing reads the output. */
export async function flushLog(): Promise<void> {
  await Promise.all([queues?.output.flush(), queues?.errors.flush()]);
}

/** Logs an expected event, such as the start of the service or a request. */
export function logEvent(message: string): void {
  if (queues === undefined) console.info(message);
  else queues.output.add(message);
}

/** Logs a problem that does not stop the service. */
export function logWarning(message: string): void {
  if (queues === undefined) console.warn(message);
  else queues.errors.add(message);
}

/** Logs a message and, if given, an error with its stack, in one line. */
export function logError(message: string, error?: unknown): void {
  const line = error === undefined
    ? message
    : `${message}: ${describeError(error)}`;
  if (queues === undefined) console.error(line);
  else queues.errors.add(line);
}

function describeError(error: unknown): string {
  const details = error instanceof Error ? error.stack ?? error : error;
  // A regular expression for white space around line feeds would take quadratic time.
  return String(details).split("\n").map((line) => line.trim())
    .filter((line) => line !== "").join(" | ");
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
