/**
 * Standard input and output of the commands and of `mcp`. A failure of the system is an
 * error with one line in plain words.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";
import { ExitError } from "./exit_error.ts";
import type { Bytes } from "../values/buffer.ts";

/** Time after which a full pipe is tried again, in milliseconds. */
const RETRY_MS = 5;

/**
 * Largest number of bytes that are written at once: as many as Linux writes to a pipe or a
 * socket wholly or not at all (`PIPE_BUF`).
 */
const PIECE_BYTES = 4 * 1024;

/**
 * Size of the buffer in which Deno collects an unfinished line of standard output, in
 * bytes.
 */
const LINE_BYTES = 1024;

const LINE_FEED = 0x0a;

/**
 * An output, such as standard output. `write()` writes the given bytes, or only a part of
 * them from the start, and returns the number of bytes written.
 */
export interface Output {
  write(bytes: Uint8Array): Promise<number>;
}

/**
 * Writes all bytes to standard output, or whole lines to standard error.
 *
 * Another program may have put the pipe into non-blocking mode. If such a pipe is full,
 * `write()` throws `WouldBlock`, and does not say how many bytes it has written before. So
 * the bytes are written in pieces that the system takes wholly or not at all.
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
      // Deno keeps an unfinished line in its buffer when it cannot write it. A write of no
      // bytes makes Deno try again.
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
 * Returns the first bytes, up to the end of a line: Deno writes the start of a next line
 * apart.
 */
function takePiece(bytes: Uint8Array): Uint8Array {
  const piece = bytes.subarray(0, PIECE_BYTES);
  const lineEnd = piece.lastIndexOf(LINE_FEED) + 1;
  return lineEnd === 0 ? piece : piece.subarray(0, lineEnd);
}

/** Whether Deno first copies a piece to its buffer, where it stays if it cannot be written. */
function isUnfinishedLine(piece: Uint8Array): boolean {
  return piece.length < LINE_BYTES && piece.at(-1) !== LINE_FEED;
}

/**
 * Writes a text, or bytes, to standard output.
 *
 * @throws {Deno.errors.BrokenPipe} if the reader has closed it.
 * @throws {ExitError} with status 1 if it cannot be written to, such as on a full disk.
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
 * Opens standard input as a stream of chunks.
 *
 * @throws {ExitError} from the stream, with status 1, if it cannot be read.
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
 * Creates the error for an input that cannot be read.
 *
 * @param source Name of the input in a sentence, such as `standard input`.
 * @throws the error, if it is not one of the system.
 */
export function createReadError(source: string, error: unknown): ExitError {
  const reason = describeSystemError(error);
  const problem = error instanceof Deno.errors.IsADirectory
    ? "is a directory"
    : `cannot be read: ${reason}`;
  return new ExitError(1, `${source} ${problem}`);
}

/**
 * Returns the reason of a system error in the form of the service's messages. Deno's has a
 * number, such as `No space left on device (os error 28)`.
 *
 * @throws the error, if it is not one of the system.
 */
export function describeSystemError(error: unknown): string {
  const isOfSystem = error instanceof Error && "code" in error;
  if (!isOfSystem) throw error;
  const reason = error.message.replace(/\.? \(os error \d+\)$/, "");
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
