/**
 * Runs the operations as terminal commands, such as `devutils base64 encode --variant url FILE`.
 * The parameter `input` is the content of FILE, or of standard input if FILE is missing or `-`.
 *
 * @module
 */

import { escapeInvisible, formatValue } from "../format_value.ts";
import type { JsonObject } from "../json/object.ts";
import { noYield } from "../operation/context.ts";
import { InputError } from "../operation/input_error.ts";
import type { Operation, ReadValue } from "../operation/operation.ts";
import { createArgumentError } from "../process/command_line.ts";
import { exitAfter, ExitError } from "../process/exit_error.ts";
import { logError } from "../log.ts";
import { writeOutput } from "../process/standard_streams.ts";
import { type Arguments, formatName, readArguments } from "./arguments.ts";
import {
  type Chunks,
  digestInput,
  isExistingFile,
  MAX_BYTES,
  openInput,
  readAll,
} from "./input.ts";

/** Maximum edit distance between an unknown command and the suggestion, per character. */
const MAX_TYPOS_PER_CHARACTER = 1 / 3;

/** Functions that load operations. For a fast start, a command loads only its own operation. */
interface Operations {
  readonly loadOperation: (name: string) => Promise<Operation | undefined>;
  readonly loadOperations: () => Promise<readonly Operation[]>;
}

/**
 * Runs a command, prints its result, and exits. The exit status is 0 on success, 1 if the input
 * is invalid or reading or writing fails, or 2 if the command line is invalid. If the reader of
 * standard output closes the pipe early, the status is 0.
 */
export async function runCommand(
  args: readonly string[],
  operations: Operations,
): Promise<void> {
  try {
    Deno.exit(await run(args, operations));
  } catch (error) {
    exitAfter(error);
  }
}

async function run(
  [name = "", ...args]: readonly string[],
  { loadOperation, loadOperations }: Operations,
): Promise<number> {
  if (name === "--help" || name === "-h") {
    const { formatOverview } = await import("./help.ts");
    await writeOutput(formatOverview(await loadOperations()));
    return 0;
  }
  const operation = await loadOperation(name);
  if (operation === undefined) {
    throw await createCommandError(name, await loadOperations());
  }
  const { json, help } = readArguments(operation, args);
  if (help) {
    const { formatHelp } = await import("./help.ts");
    await writeOutput(formatHelp(operation));
    return 0;
  }
  const { result, error } = await runOperation(operation, args, openInput);
  const [first] = Object.values(result);
  if (json) await writeOutput(`${JSON.stringify(result)}\n`);
  else if (error !== undefined) logError(error);
  else if (first instanceof Uint8Array) await writeOutput(first);
  else await writeOutput(`${[first].flat().join("\n")}\n`);
  return error === undefined ? 0 : 1;
}

/** Creates the error for an unknown command, and suggests a command with a similar name. */
async function createCommandError(
  name: string,
  operations: readonly Operation[],
): Promise<ExitError> {
  const { closestString, levenshteinDistance } = await import("@std/text");
  const names = [...operations.map(({ name }) => name), "serve", "mcp"];
  const closest = closestString(name, names);
  const isTypo = levenshteinDistance(name, closest) <=
    MAX_TYPOS_PER_CHARACTER * name.length;
  const advice = isTypo ? `did you mean ${formatValue(closest)}?` : undefined;
  return createArgumentError("unknown command", name, advice);
}

/**
 * Runs an operation with the arguments of a command line. Returns the endpoint's result, whose
 * first property can contain bytes without `--json`, and an error if it contains `valid: false`.
 *
 * @param openInput Returns the chunks of a file, or of standard input for `undefined`.
 * @throws {ExitError} with status 2 for an invalid argument, or 1 for an invalid or unreadable
 * input.
 */
export async function runOperation(
  operation: Operation,
  commandLine: readonly string[],
  openInput: (path: string | undefined) => Chunks,
): Promise<{ readonly result: JsonObject; readonly error?: string }> {
  const args = readArguments(operation, commandLine);
  let invalid: InputError | undefined;
  try {
    const result = await callOperation(operation, args, {
      input: openInput(args.path),
      onInvalid: (error) => invalid = error,
    });
    if (invalid === undefined) return { result };
    return { result, error: describeInputError(invalid, args.path) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (error.parameters === "input") {
      throw new ExitError(1, describeInputError(error, args.path));
    }
    const message = error.describe((name) => formatName(operation, name));
    throw new ExitError(2, message);
  }
}

async function callOperation(
  operation: Operation,
  args: Arguments,
  { input, onInvalid }: {
    readonly input: Chunks;
    readonly onInvalid: (error: InputError) => void;
  },
): Promise<JsonObject> {
  const { parameters, command } = operation;
  const read: ReadValue = (name, parameter) => {
    const value = args.values[name];
    // `readArguments()` returns booleans for switches.
    return typeof value === "boolean"
      ? parameter.fromJson(name, value)
      : parameter.fromString(name, value);
  };
  if (command !== undefined) {
    return await command.run(read, {
      path: args.path,
      isFile: isExistingFile,
      digest: (algorithm) => digestInput(algorithm, input),
    });
  }
  const context = {
    yieldControl: noYield,
    getMaxResultBytes: () => MAX_BYTES,
    // JSON can't contain bytes.
    acceptsBytes: !args.json,
    onInvalid,
  };
  if (!parameters["input"]) return await operation.run(read, context);

  // Reject invalid arguments before reading the input, which can take a long time.
  for (const [name, parameter] of Object.entries(parameters)) {
    if (name !== "input") read(name, parameter);
  }
  const bytes = await readAll(input);
  const readWithInput: ReadValue = (name, parameter) =>
    name === "input" ? parameter.fromBytes(name, bytes) : read(name, parameter);
  return await operation.run(readWithInput, context);
}

/**
 * Describes an input error. An error with a line and column is in the same format as a compiler
 * error, which editors recognize: `a.json:1:4: expected …`, with `-` for standard input.
 */
function describeInputError(
  error: InputError,
  path: string | undefined,
): string {
  const { lineAndColumn } = error.position ?? {};
  if (lineAndColumn === undefined) {
    const source = path === undefined ? "standard input" : formatValue(path);
    return error.describe(() => source);
  }
  const file = path === undefined ? "-" : escapeInvisible(path);
  const { line, column } = lineAndColumn;
  return `${file}:${line}:${column}: ${error.reason}`;
}
