/**
 * Operations as commands, such as `devutils base64 encode --variant url FILE`. A required
 * parameter with choices is a word, such as `encode`. The parameter `input` is the content
 * of FILE, or of standard input if FILE is absent or `-`. Any other parameter is an option;
 * a boolean is `--NAME` or `--no-NAME`.
 *
 * @module
 */

import { ExitError } from "../system/exit_error.ts";
import { InputError } from "../operation/input_error.ts";
import { doNotPause } from "../operation/caller.ts";
import type { Operation, ReadValue } from "../operation/operation.ts";
import type { Fields } from "../values/object.ts";
import type { Parameter } from "../operation/parameters.ts";
import {
  decodeUtf8,
  describeBytes,
  skipByteOrderMark,
} from "../values/utf8.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { digestStream } from "./digest_stream.ts";
import {
  type Chunks,
  describeSource,
  isFile,
  locateError,
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
  const { words, options } = sortParameters(operation);
  const given = readArguments(args, {
    wordCount: words.length + (hasInput(operation) ? 1 : 0),
    takesFile: hasInput(operation),
    options: selectNames(options, (parameter) => !isSwitch(parameter)),
    switches: selectNames(options, isSwitch),
  });
  const path = given.words[words.length];
  let isEmpty = true;
  const describeEmpty = () => isEmpty ? EMPTY : "";
  try {
    const file = isFile(path) ? path : undefined;
    const chunks = watchInput(openInput(path), () => isEmpty = false);
    const result = await run(operation, given, { file, chunks });
    const printsJson = given.json;
    if (result["valid"] !== false) return { result, printsJson };
    const message = String(Object.values(result)[0]);
    const error = (locateError(message, path) ?? message) + describeEmpty();
    return { result, printsJson, error };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (error.parameters !== "input") {
      const message = error.describe((name) => writeName(operation, name));
      throw new ExitError(2, message);
    }
    const message = locateError(error.rule, path) ??
      error.describe(() => describeSource(path));
    throw new ExitError(1, message + describeEmpty());
  }
}

/** The end of a message that refuses an empty input. */
const EMPTY =
  ' (it is empty: a shell empties FILE for "> FILE" before it is read)';

/** Passes chunks on, and calls `onBytes` for each that is not empty. */
async function* watchInput(
  chunks: Chunks,
  onBytes: () => void,
): AsyncGenerator<Bytes> {
  for await (const chunk of chunks) {
    if (chunk.byteLength > 0) onBytes();
    yield chunk;
  }
}

async function run(
  operation: Operation,
  given: Arguments,
  { file, chunks }: {
    readonly file: string | undefined;
    readonly chunks: Chunks;
  },
): Promise<Fields> {
  const { parameters, command } = operation;
  const read = createReader(operation, given);
  if (command !== undefined) {
    return await command.run(read, {
      file,
      digest: (algorithm) => digestStream(algorithm, chunks),
      readBytes: () => readAll(chunks),
      printsJson: given.json,
    });
  }
  const terminal = { pause: doNotPause, maxResultBytes: MAX_BYTES };
  if (!hasInput(operation)) return { ...await operation.run(read, terminal) };

  // Refuses wrong arguments before the input is read, which may take long.
  for (const [name, parameter] of Object.entries(parameters)) {
    if (name !== "input") read(name, parameter);
  }
  const input = decodeText(await readAll(chunks));
  const readValue: ReadValue = (name, parameter) =>
    name === "input" ? parameter.fromText(name, input) : read(name, parameter);
  return { ...await operation.run(readValue, terminal) };
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

/** Divides the parameters of a command, without `input`, into words and options. */
export function sortParameters({ parameters, command }: Operation) {
  const { input: _, ...others } = { ...parameters, ...command?.options };
  const entries = Object.entries<Parameter>(others);
  return {
    words: entries.filter(([_name, parameter]) => isWord(parameter)),
    options: entries.filter(([_name, parameter]) => !isWord(parameter)),
  };
}

/** Whether an operation has the parameter `input`, so that its command takes a FILE. */
export function hasInput({ parameters }: Operation): boolean {
  return Object.hasOwn(parameters, "input");
}

/** Whether a parameter is a word on the command line: if it is required and has choices. */
function isWord({ isRequired, schema }: Parameter): boolean {
  return isRequired && schema.enum !== undefined;
}

/** Whether a parameter is a switch, `--NAME` or `--no-NAME`: if it is a boolean. */
export function isSwitch({ schema }: Parameter): boolean {
  return schema.type === "boolean";
}

function selectNames(
  entries: readonly (readonly [name: string, parameter: Parameter])[],
  isSelected: (parameter: Parameter) => boolean,
): string[] {
  return entries.filter(([_name, parameter]) => isSelected(parameter))
    .map(([name]) => name);
}

/** Returns the name of a parameter for messages, such as `ACTION` or `--indent`. */
function writeName({ parameters }: Operation, name: string): string {
  const parameter = parameters[name];
  return parameter !== undefined && isWord(parameter)
    ? name.toUpperCase()
    : `--${name}`;
}

/** Creates the function that reads the values of parameters from words and options. */
function createReader(operation: Operation, given: Arguments): ReadValue {
  const words = sortParameters(operation).words
    .map(([name], i) => [name, given.words[i]] as const);
  const texts = { ...given.options, ...Object.fromEntries(words) };
  return (name, parameter) => {
    const text = texts[name];
    // `readArguments()` returns booleans for switches.
    return typeof text === "boolean"
      ? parameter.fromJson(name, text)
      : parameter.fromText(name, text);
  };
}
