/**
 * Operations as commands, such as `devutils base64 encode --variant url FILE`. The value of
 * the parameter `input` is the content of FILE, or of standard input if FILE is absent or
 * `-`.
 *
 * @module
 */

import { ExitError } from "../system/exit_error.ts";
import { InputError } from "../operation/input_error.ts";
import { type CallContext, doNotPause } from "../operation/context.ts";
import type { Operation, ReadValue } from "../operation/operation.ts";
import type { Fields } from "../values/object.ts";
import {
  decodeUtf8,
  describeBytes,
  skipByteOrderMark,
} from "../values/utf8.ts";
import {
  type Arguments,
  formatName,
  hasInput,
  readArguments,
} from "./arguments.ts";
import { digestStream } from "./digest_stream.ts";
import {
  type Chunks,
  describeInputError,
  isFile,
  MAX_BYTES,
  readAll,
} from "./input.ts";
import type { Bytes } from "../values/buffer.ts";

/** The output of a command. */
export interface CommandOutput {
  /**
   * The members of the JSON object that the endpoint would answer. Without `--json`, the
   * first member may be bytes in place of text.
   */
  readonly result: Fields;
  /** Whether `--json` is given. */
  readonly printsJson: boolean;
  /** The message if the result says that the input is invalid (`valid: false`). */
  readonly error?: string;
}

/**
 * Runs an operation with the arguments of a command line.
 *
 * @param openInput Returns the chunks of a file, or of standard input if the path is
 * `undefined` or `-`.
 * @throws {ExitError} with status 2 for a wrong argument, 1 for an input that is refused or
 * cannot be read.
 */
export async function runOperation(
  operation: Operation,
  args: readonly string[],
  openInput: (path: string | undefined) => Chunks,
): Promise<CommandOutput> {
  const given = readArguments(operation, args);
  const { path } = given;
  try {
    const file = isFile(path) ? path : undefined;
    const chunks = openInput(path);
    const { result, invalid } = await run(operation, given, { file, chunks });
    const printsJson = given.json;
    if (invalid === undefined) return { result, printsJson };
    const error = describeInputError(invalid, path);
    return { result, printsJson, error };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (error.parameters !== "input") {
      const message = error.describe((name) => formatName(operation, name));
      throw new ExitError(2, message);
    }
    throw new ExitError(1, describeInputError(error, path));
  }
}

async function run(
  operation: Operation,
  given: Arguments,
  { file, chunks }: {
    readonly file: string | undefined;
    readonly chunks: Chunks;
  },
): Promise<{ readonly result: Fields; readonly invalid?: InputError }> {
  const { parameters, command } = operation;
  const read = createReader(given);
  if (command !== undefined) {
    const result = await command.run(read, {
      file,
      digest: (algorithm) => digestStream(algorithm, chunks),
      readBytes: () => readAll(chunks),
      // JSON cannot hold bytes.
      takesBytes: !given.json,
    });
    return { result };
  }
  let invalid: InputError | undefined;
  const terminal: CallContext = {
    pause: doNotPause,
    maxResultBytes: MAX_BYTES,
    onInvalid: (error) => invalid = error,
  };
  if (!hasInput(operation)) {
    return { result: await operation.run(read, terminal) };
  }

  // Refuses wrong arguments before the input is read, which may take long.
  for (const [name, parameter] of Object.entries(parameters)) {
    if (name !== "input") read(name, parameter);
  }
  const input = decodeText(await readAll(chunks));
  const readValue: ReadValue = (name, parameter) =>
    name === "input" ? parameter.fromText(name, input) : read(name, parameter);
  const result = await operation.run(readValue, terminal);
  return { result, ...(invalid === undefined ? {} : { invalid }) };
}

/**
 * Decodes an input as UTF-8, and removes a byte order mark at its start.
 *
 * @throws {InputError} if the input is not UTF-8.
 */
function decodeText(bytes: Bytes): string {
  const text = decodeUtf8(skipByteOrderMark(bytes));
  if (text !== undefined) return text;
  const got = describeBytes(bytes);
  throw new InputError("input", `must be UTF-8 text, got ${got}`);
}

/** Creates the function that reads the values of parameters from words and options. */
function createReader({ values }: Arguments): ReadValue {
  return (name, parameter) => {
    const value = values[name];
    // `readArguments()` returns booleans for switches.
    return typeof value === "boolean"
      ? parameter.fromJson(name, value)
      : parameter.fromText(name, value);
  };
}
