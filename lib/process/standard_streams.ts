/** Reads standard input, and writes to standard output. Throws system errors as `ExitError`. */

import { setTimeout as delay } from "node:timers/promises";
import { ExitError } from "./exit_error.ts";
import type { Bytes } from "../buffer.ts";

/** Interval between attempts to write to a full pipe, in milliseconds. */
const RETRY_MS = 5;

/** Maximum size of a write, in bytes. Linux writes 4 KiB (`PIPE_BUF`) to a pipe atomically. */
const MAX_WRITE_BYTES = 4 * 1024;

/** Size of Deno's line buffer for standard output, in bytes. */
const LINE_BUFFER_BYTES = 1024;

const NEWLINE = 0x0a;
const NO_BYTES = new Uint8Array();

/**
 * Writes bytes, or a string as UTF-8, to standard output.
 *
 * @throws {Deno.errors.BrokenPipe} if the reader has closed the pipe.
 * @throws {ExitError} with status 1 for any other system error, such as a full disk.
 */
export async function writeOutput(data: string | Uint8Array): Promise<void> {
  let remaining = typeof data === "string"
    ? new TextEncoder().encode(data)
    : data;
  try {
    while (remaining.length > 0) {
      const written = await writeStart(remaining);
      remaining = remaining.subarray(written);
    }
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw error;
    throw new ExitError(1, `cannot write: ${describeSystemError(error)}`);
  }
}

/**
 * Writes the first bytes, and returns their number. If another program has made the pipe
 * non-blocking, a write to a full pipe fails with `WouldBlock` and doesn't report how many
 * bytes it wrote. Therefore, writes a chunk that the system writes atomically, and retries.
 */
async function writeStart(bytes: Uint8Array): Promise<number> {
  const start = bytes.subarray(0, MAX_WRITE_BYTES);
  // Deno would write the bytes after the last newline separately.
  const lines = start.subarray(0, start.lastIndexOf(NEWLINE) + 1);
  let pending = lines.length > 0 ? lines : start;
  // Before the write fails, Deno copies a short unfinished line to its buffer. Writing zero
  // bytes flushes that buffer.
  const isBuffered = lines.length === 0 && start.length < LINE_BUFFER_BYTES;
  for (;;) {
    try {
      const written = await Deno.stdout.write(pending);
      return pending === NO_BYTES ? start.length : written;
    } catch (error) {
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      if (isBuffered) pending = NO_BYTES;
      await delay(RETRY_MS);
    }
  }
}

/**
 * Yields the chunks of an input.
 *
 * @param source Name of the input in messages, such as `standard input`.
 * @throws {ExitError} with status 1 if the input cannot be read.
 */
export async function* readInput(
  chunks: AsyncIterable<Bytes>,
  source: string,
): AsyncGenerator<Bytes> {
  try {
    yield* chunks;
  } catch (error) {
    const problem = error instanceof Deno.errors.IsADirectory
      ? "is a directory"
      : `cannot be read: ${describeSystemError(error)}`;
    throw new ExitError(1, `${source} ${problem}`);
  }
}

/**
 * Returns the message of a system error, such as `no space left on device`.
 *
 * @throws any other error.
 */
export function describeSystemError(error: unknown): string {
  const isSystemError = error instanceof Error && "code" in error;
  if (!isSystemError) throw error;
  const reason = error.message.replace(/\.? \(os error \d+\)$/, "");
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
