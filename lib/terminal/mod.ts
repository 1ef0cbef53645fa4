/**
 * Runs the operations of the service as commands in a terminal. The positional arguments
 * (words), options and standard input of a command become the fields of a request to an
 * endpoint. The endpoint's answer is printed as text.
 *
 * @module
 */

import type { Fields } from "../http/fields.ts";
import type { Route } from "../http/router.ts";
import { decodeUtf8 } from "../http/utf8.ts";
import { HttpError } from "../http_error.ts";
import { logError } from "../log.ts";
import type { Description } from "../openapi.ts";
import { UsageError } from "../process/arguments.ts";
import { formatValue } from "../format_value.ts";
import { type Answer, COMPUTATIONS, type Input, readText } from "./bytes.ts";
import { type Command, createCommands } from "./commands.ts";
import { listNames, writeCommandHelp, writeOverview } from "./help.ts";
import { suggest, TRY_HELP } from "../suggest.ts";
import { readInvocation, relabel } from "./options.ts";

/** The description from which the commands are created, and the streams that they use. */
export interface Terminal {
  readonly description: Description;
  /** Loads the endpoints. Commands that need no endpoint do not call it. */
  readonly loadRoutes: () => Promise<readonly Route[]>;
  readonly input: Input;
  /** Whether standard input is a terminal, in which a user types. */
  readonly isTyped: boolean;
  /** Writes to standard output. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Writes a line to standard error. */
  readonly log: (line: string) => void;
}

/** Exit status for input that is refused, a result that differs from the one given with `--check`, and unexpected errors. */
const FAILURE = 1;

/** Exit status for a wrong command line. */
const WRONG_USAGE = 2;

const NOT_UTF8_MESSAGE =
  '"input" must encode UTF-8 text, got bytes that are not UTF-8 text';

/** Largest number of bytes that are passed to one call of `Deno.stdout.write()`. */
const PART_BYTES = 64 * 1024;

const utf8Encoder = new TextEncoder();

/** The standard streams of this process. */
export const STANDARD_STREAMS = {
  input: Deno.stdin.readable,
  isTyped: Deno.stdin.isTerminal(),
  log: logError,
  async write(bytes: Uint8Array): Promise<void> {
    // The bytes are passed in parts: each call of `Deno.stdout.write()` copies all bytes
    // that it is given, even if it writes only some of them.
    for (let start = 0; start < bytes.byteLength;) {
      const part = bytes.subarray(start, start + PART_BYTES);
      start += await Deno.stdout.write(part);
    }
  },
};

/** Runs the command that the arguments name, and returns the exit status. */
export async function runCommand(
  [name = "", ...args]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const commands = createCommands(terminal.description);
  const command = commands.find((command) => command.name === name);
  try {
    if (command) return await run(command, args, terminal);
    if (name !== "--help" && name !== "-h") {
      const hint = suggest(name, listNames(commands)) ?? TRY_HELP;
      throw new UsageError(`unknown command ${formatValue(name)}, ${hint}`);
    }
    await print(writeOverview(commands), terminal);
    return 0;
  } catch (error) {
    // The reader of the output, such as `head`, has closed the pipe: this is no error.
    if (error instanceof Deno.errors.BrokenPipe) return 0;
    const isUsage = error instanceof UsageError;
    if (isUsage || error instanceof HttpError) terminal.log(error.message);
    else logError("unexpected error", error);
    return isUsage ? WRONG_USAGE : FAILURE;
  }
}

async function run(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { fields, help, json, check } = readInvocation(command, args);
  if (help) {
    await print(writeCommandHelp(command), terminal);
    return 0;
  }
  if (command.input && terminal.isTyped) {
    const end = Deno.build.os === "windows" ? "Ctrl-Z and Enter" : "Ctrl-D";
    terminal.log(`waiting for standard input, which ends with ${end}`);
  }
  const answer = await compute(command, fields, terminal);
  const [[name, result] = []] = Object.entries(answer);
  if (check !== undefined && check !== result) {
    terminal.log(`the result is not the one of --check, but ${result}`);
    return FAILURE;
  }
  const isValid = answer["valid"] !== false;
  if (json) {
    const text = result instanceof Uint8Array
      ? decodeUtf8(result, relabel(NOT_UTF8_MESSAGE, command))
      : result;
    await print(`${JSON.stringify({ ...answer, [name!]: text })}\n`, terminal);
  } else if (!isValid) terminal.log(String(result));
  else if (result instanceof Uint8Array) await terminal.write(result);
  else await print(`${[result].flat().join("\n")}\n`, terminal);
  return isValid ? 0 : FAILURE;
}

/**
 * Computes the answer of a command.
 *
 * @throws {UsageError} if the endpoint refuses an option.
 * @throws {HttpError} if the endpoint refuses the input.
 */
async function compute(
  command: Command,
  fields: Fields,
  { input, loadRoutes }: Terminal,
): Promise<Answer> {
  try {
    const computation = COMPUTATIONS[command.name];
    if (computation) return await computation(fields, input);
    const text = command.input ? { input: await readText(input) } : {};
    const { callEndpoint } = await import("./endpoint.ts");
    const routes = await loadRoutes();
    return await callEndpoint(command, routes, { ...fields, ...text });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const message = relabel(error.message, command);
    const isUsage = command.options.some(({ label }) =>
      message.includes(label)
    );
    throw isUsage
      ? new UsageError(message)
      : new HttpError(error.status, message);
  }
}

function print(text: string, { write }: Terminal): Promise<void> {
  return write(utf8Encoder.encode(text));
}
