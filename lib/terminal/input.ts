/** The input of a command: a file or standard input. */

import { ExitError } from "../process/exit_error.ts";
import { formatValue } from "../format_value.ts";
import { logError } from "../log.ts";
import { InputError } from "../operation/input_error.ts";
import { describeSystemError, readInput } from "../process/standard_streams.ts";
import type { Bytes } from "../buffer.ts";

export type Chunks = AsyncIterable<Bytes>;

/** Maximum size of an input that is held in memory, and of formatted JSON, in bytes. */
export const MAX_BYTES = 250_000_000;

/**
 * Maximum size of an input to hash with Web Crypto, in bytes. `node:crypto` can hash larger
 * inputs in chunks, but loading it takes as long as starting Deno.
 */
const MAX_WEB_CRYPTO_BYTES = 1024 * 1024;

/** Interval between progress updates, in milliseconds. */
const PROGRESS_MS = 1_000;

/** Clears the line (ECMA-48). */
const CLEAR_LINE = "\r\x1b[K";

/**
 * Returns the chunks of a file, or of standard input if `path` is `undefined`. Opens the input
 * when the first chunk is requested.
 *
 * @throws {ExitError} with status 1, from the iterator, if the input can't be opened or read.
 */
export async function* openInput(path: string | undefined): Chunks {
  if (path !== undefined) {
    using file = await openFile(path);
    yield* readInput(file.readable, formatValue(path));
    return;
  }
  if (Deno.stdin.isTerminal()) {
    const end = Deno.build.os === "windows" ? "Ctrl-Z and Enter" : "Ctrl-D";
    logError(`waiting for standard input (end it with ${end})`);
  }
  yield* readInput(Deno.stdin.readable, "standard input");
}

async function openFile(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path);
  } catch (error) {
    const reason = describeOpenError(error, path);
    const message = `cannot open the file ${formatValue(path)}: ${reason}`;
    throw new ExitError(1, message);
  }
}

function describeOpenError(error: unknown, path: string): string {
  // Deno has no error class for an empty path.
  if (path === "" || error instanceof Deno.errors.NotFound) {
    // In arguments, Deno replaces bytes that aren't valid UTF-8 with this character.
    return path.includes("\ufffd")
      ? "no such file (if its name is not UTF-8, use < FILE)"
      : "no such file (to pass a string, use standard input)";
  }
  if (error instanceof Deno.errors.PermissionDenied) return "access is denied";
  if (error instanceof Deno.errors.NotCapable) {
    return "Deno needs --allow-read to open files, and it cannot open devices: use < FILE";
  }
  return describeSystemError(error);
}

/** Whether a path exists and isn't a directory. */
export async function isExistingFile(path: string): Promise<boolean> {
  try {
    return !(await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

/**
 * Reads an entire input into memory.
 *
 * @throws {InputError} if the input is larger than 250 MB.
 */
export async function readAll(input: Chunks): Promise<Bytes> {
  const chunks: Bytes[] = [];
  let byteLength = 0;
  for await (const chunk of input) {
    byteLength += chunk.byteLength;
    if (byteLength > MAX_BYTES) {
      throw new InputError("input", `must be at most ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return await new Blob(chunks).bytes();
}

/**
 * Returns the digest of an input in lowercase hexadecimal. Hashes an input of more than 1 MiB in
 * chunks instead of holding it in memory, and shows the progress on a terminal.
 *
 * @param algorithm The algorithm's name in Web Crypto.
 */
export async function digestInput(
  algorithm: string,
  input: Chunks,
): Promise<string> {
  const held: Bytes[] = [];
  let byteLength = 0;
  let hash: import("node:crypto").Hash | undefined;
  using progress = new Progress();
  for await (const chunk of input) {
    held.push(chunk);
    byteLength += chunk.byteLength;
    if (byteLength <= MAX_WEB_CRYPTO_BYTES) continue;
    hash ??= (await import("node:crypto"))
      .createHash(algorithm.replace("-", ""));
    for (const each of held.splice(0)) hash.update(each);
    progress.update(byteLength);
  }
  if (hash !== undefined) return hash.digest("hex");
  const bytes = await new Blob(held).bytes();
  return new Uint8Array(await crypto.subtle.digest(algorithm, bytes)).toHex();
}

/** A progress line, shown only if standard error is a terminal, and cleared on disposal. */
class Progress {
  #nextAt = performance.now() + PROGRESS_MS;
  #isShown = false;

  /** Shows the number of bytes hashed so far, at most once a second. */
  update(byteLength: number): void {
    if (performance.now() < this.#nextAt || !Deno.stderr.isTerminal()) return;
    this.#nextAt += PROGRESS_MS;
    this.#isShown = true;
    this.#write(`${CLEAR_LINE}hashed ${Math.floor(byteLength / 1e6)} MB`);
  }

  [Symbol.dispose](): void {
    if (this.#isShown) this.#write(CLEAR_LINE);
  }

  #write(output: string): void {
    Deno.stderr.writeSync(new TextEncoder().encode(output));
  }
}
