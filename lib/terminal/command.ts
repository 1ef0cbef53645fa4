/**
 * Operations as commands, such as `devutils base64 encode --variant url FILE`. The value of
 * the parameter `input` is the content of FILE, or of standard input if FILE is absent or
 * `-`.
 *
 * @module
 */

import { ExitError } from "../process/exit_error.ts";
import { InputError } from "../operation/input_error.ts";
import { type CallContext, noYield } from "../operation/context.ts";
import type { Operation, ReadValue } from "../operation/operation.ts";
import type { JsonObject } from "../json/object.ts";
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
  isExistingFile,
  MAX_BYTES,
  readAll,
} from "./input.ts";

/** The output of a command. */
export interface CommandOutput {
  /**
   * The properties of the JSON object that the endpoint would return. Without `--json`, the
   * first property may be bytes instead of a string.
   */
  readonly result: JsonObject;
  /** Whether `--json` is set. */
  readonly printsJson: boolean;
  /** The message if the result says that the input is invalid (`valid: false`). */
  readonly error: string | undefined;
}

/**
 * Runs an operation with the arguments of a command line.
 *
 * @param openInput Returns the chunks of a file, or of standard input if the path is
 * `undefined`.
 * @throws {ExitError} with status 2 for an invalid argument, 1 for an input that is invalid
 * or cannot be read.
 */
export async function runOperation(
  operation: Operation,
  commandLine: readonly string[],
  openInput: (path: string | undefined) => Chunks,
): Promise<CommandOutput> {
  const args = readArguments(operation, commandLine);
  const { path, json: printsJson } = args;
  const input = openInput(path);
  let invalid: InputError | undefined;
  try {
    const onInvalid = (error: InputError) => invalid = error;
    const result = await run(operation, args, { input, onInvalid });
    const error = invalid && describeInputError(invalid, path);
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
  args: Arguments,
  { input, onInvalid }: {
    readonly input: Chunks;
    readonly onInvalid: (error: InputError) => void;
  },
): Promise<JsonObject> {
  const { parameters, command } = operation;
  const read = createReader(args);
  if (command !== undefined) {
    return await command.run(read, {
      path: args.path,
      isFile: isExistingFile,
      digest: (algorithm) => digestStream(algorithm, input),
    });
  }
  const context: CallContext = {
    yieldControl: noYield,
    getMaxResultBytes: () => MAX_BYTES,
    // JSON cannot hold bytes.
    acceptsBytes: !args.json,
    onInvalid,
  };
  if (!hasInput(operation)) return await operation.run(read, context);

  // Rejects invalid arguments before the input is read, which may take long.
  for (const [name, parameter] of Object.entries(parameters)) {
    if (name !== "input") read(name, parameter);
  }
  const bytes = await readAll(input);
  const readValue: ReadValue = (name, parameter) =>
    name === "input" ? parameter.fromBytes(name, bytes) : read(name, parameter);
  return await operation.run(readValue, context);
}

/** Creates the function that reads the values of parameters from words and options. */
function createReader({ values }: Arguments): ReadValue {
  return (name, parameter) => {
    const value = values[name];
    // `readArguments()` returns booleans for switches.
    return typeof value === "boolean"
      ? parameter.fromJson(name, value)
      : parameter.fromString(name, value);
  };
}
