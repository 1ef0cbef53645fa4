/** The input of a command: standard input, or a file. */

import { ExitError } from "../process/exit_error.ts";
import { formatValue } from "../format_value.ts";
import { escapeInvisible } from "../quote.ts";
import { logError } from "../process/log.ts";
import { InputError } from "../operation/input_error.ts";
import { describeSystemError, readInput } from "../process/standard_streams.ts";
import type { Bytes } from "../buffer.ts";

export type Chunks = AsyncIterable<Bytes>;

/**
 * Largest input that is held in memory as a whole, and largest result of `json format`, in
 * bytes, inclusive: 250 MB.
 */
export const MAX_BYTES = 250_000_000;

/**
 * Returns the chunks of a file, or of standard input if the path is `undefined`. The
 * input is opened when its first chunk is requested.
 *
 * @throws {ExitError} from the iteration, with status 1, if opening or reading fails.
 */
export async function* openInput(
  path: string | undefined,
): AsyncGenerator<Bytes> {
  if (path !== undefined) {
    using file = await openFile(path);
    yield* readInput(file.readable, formatValue(path));
  } else {
    tellOfTerminal();
    yield* readInput(Deno.stdin.readable, "standard input");
  }
}

/** Returns the name of an input for messages: its path in quotes, or `standard input`. */
function describeSource(path: string | undefined): string {
  return path === undefined ? "standard input" : formatValue(path);
}

/**
 * Describes an error of the input. If it has a line, the description has the form that
 * compilers use, such as `a.json:1:4: expected …`, for editors and loops. Standard input is
 * `-`.
 */
export function describeInputError(
  error: InputError,
  path: string | undefined,
): string {
  const { lineAndColumn } = error.position ?? {};
  if (lineAndColumn === undefined) {
    return error.describe(() => describeSource(path));
  }
  const file = path === undefined ? "-" : escapeInvisible(path);
  return `${file}:${lineAndColumn.line}:${lineAndColumn.column}: ${error.reason}`;
}

/** Whether a path is that of an existing file, and not of a folder. */
export async function isExistingFile(path: string): Promise<boolean> {
  try {
    return !(await Deno.stat(path)).isDirectory;
  } catch {
    return false;
  }
}

function tellOfTerminal(): void {
  if (!Deno.stdin.isTerminal()) return;
  const end = Deno.build.os === "windows" ? "Ctrl-Z and Enter" : "Ctrl-D";
  logError(`waiting for standard input (end it with ${end})`);
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
  // For an empty path, Deno has no class of error.
  if (path === "" || error instanceof Deno.errors.NotFound) {
    // In place of bytes that are not UTF-8, an argument has this character.
    return path.includes("\ufffd")
      ? "no such file (if its name is not UTF-8, use < FILE)"
      : "no such file (to pass a string, use standard input)";
  }
  if (error instanceof Deno.errors.PermissionDenied) return "access is denied";
  if (error instanceof Deno.errors.NotCapable) {
    return "Deno needs --allow-read to open files, and cannot open devices: use < FILE";
  }
  return describeSystemError(error);
}

/**
 * Reads a whole input into memory.
 *
 * @throws {InputError} if the input has more than 250 MB. Errors in reading `input` are
 * thrown unchanged.
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
