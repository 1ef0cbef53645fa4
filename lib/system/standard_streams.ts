/**
 * Reads standard input for `mcp`, and writes standard output for all commands. A system
 * error becomes an `ExitError` with a message of one line, except that of a closed pipe.
 * The errors of `writeAll()`, which also writes the log, are not converted. The commands
 * read their input in `lib/terminal/input.ts`, and make its errors with the functions here.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";
import { ExitError } from "./exit_error.ts";
import type { Bytes } from "../values/buffer.ts";

/** Time after which a write to a full pipe is tried again, in milliseconds. */
const RETRY_MS = 5;

/**
 * Largest number of bytes that are written at once: as many as Linux writes wholly or not
 * at all to a pipe in non-blocking mode (`PIPE_BUF`).
 */
const PIECE_BYTES = 4 * 1024;

/**
 * Size of the buffer in which Deno collects an unfinished line of standard output, in
 * bytes.
 */
const LINE_BYTES = 1024;

const LINE_FEED = 0x0a;

/**
 * An output, such as `Deno.stdout`. `write()` writes the given bytes, or only the first of
 * them, and returns the number of bytes written.
 */
export interface Output {
  write(bytes: Uint8Array): Promise<number>;
}

/**
 * Writes all bytes to an output. If the output is standard error, the bytes must end in a
 * line feed.
 *
 * Another program may have put the pipe of an output into non-blocking mode. If such a pipe
 * is full, `write()` throws `WouldBlock`, and does not say how many bytes it has written
 * before. Therefore the bytes are written in pieces that the system takes wholly or not at
 * all, and the write is repeated until it succeeds.
 *
 * @throws any other error of `write()`.
 */
export async function writeAll(
  output: Output,
  bytes: Uint8Array,
): Promise<void> {
  let rest = bytes;
  let isKept = false;
  while (rest.length > 0 || isKept) {
    const piece = takePiece(rest);
    try {
      // Deno keeps an unfinished line in its buffer if the pipe is full. A write of no
      // bytes makes Deno try to write the buffer again.
      const written = await output.write(isKept ? EMPTY : piece);
      rest = rest.subarray(written);
      isKept = false;
    } catch (error) {
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      if (!isKept && isUnfinishedLine(piece)) {
        rest = rest.subarray(piece.length);
        isKept = true;
      }
      await delay(RETRY_MS);
    }
  }
}

const EMPTY = new Uint8Array();

/**
 * Returns the first bytes, at most 4 KiB, up to the last line feed among them, if there is
 * one. Deno would write bytes after the last line feed separately, so that the system could
 * take one part without the other.
 */
function takePiece(bytes: Uint8Array): Uint8Array {
  const piece = bytes.subarray(0, PIECE_BYTES);
  const lineEnd = piece.lastIndexOf(LINE_FEED) + 1;
  return lineEnd === 0 ? piece : piece.subarray(0, lineEnd);
}

/**
 * Whether Deno copies a piece to its buffer for unfinished lines, and keeps the piece there
 * if the pipe is full.
 */
function isUnfinishedLine(piece: Uint8Array): boolean {
  return piece.length < LINE_BYTES && piece.at(-1) !== LINE_FEED;
}

/**
 * Writes bytes, or a text as UTF-8, to standard output.
 *
 * @throws {Deno.errors.BrokenPipe} if the reader has closed the pipe.
 * @throws {ExitError} with status 1 for any other system error, such as a full disk.
 */
export async function writeOutput(data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string"
    ? new TextEncoder().encode(data)
    : data;
  try {
    await writeAll(Deno.stdout, bytes);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw error;
    throw new ExitError(1, `cannot write: ${describeSystemError(error)}`);
  }
}

/**
 * Returns standard input as a stream of chunks. A read of the stream rejects with an
 * `ExitError` with status 1 if standard input cannot be read.
 */
export function openStandardInput(): ReadableStream<Bytes> {
  const reader = Deno.stdin.readable.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        throw createReadError("standard input", error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/**
 * Creates the error, with status 1, for an input that cannot be read.
 *
 * @param source Name of the input in a sentence, such as `standard input`.
 * @throws the given error, unless it is a system error.
 */
export function createReadError(source: string, error: unknown): ExitError {
  const reason = describeSystemError(error);
  const problem = error instanceof Deno.errors.IsADirectory
    ? "is a directory"
    : `cannot be read: ${reason}`;
  return new ExitError(1, `${source} ${problem}`);
}

/**
 * Returns the message of a system error with a lower-case first letter, and without the
 * number in a message such as `No space left on device (os error 28)`.
 *
 * @throws the given error, unless it is a system error.
 */
export function describeSystemError(error: unknown): string {
  const isOfSystem = error instanceof Error && "code" in error;
  if (!isOfSystem) throw error;
  const reason = error.message.replace(/\.? \(os error \d+\)$/, "");
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
