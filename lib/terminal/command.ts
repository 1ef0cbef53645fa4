/**
 * Operations as commands. Choices that must be made are words, `input` is standard input,
 * other parameters are options, booleans `--NAME` or `--no-NAME`.
 *
 * @module
 */

import { freeBuffer } from "../buffer.ts";
import { ExitError } from "../exit_error.ts";
import { InputError } from "../operation/input_error.ts";
import {
  doNotPause,
  type Fields,
  type Operation,
} from "../operation/operation.ts";
import type { Parameter } from "../operation/parameters.ts";
import { decodeUtf8 } from "../utf8.ts";
import { readArguments } from "./arguments.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Chunks of standard input. */
type Input = AsyncIterable<Bytes>;

/** Largest input that is held in memory, and largest result, in bytes, inclusive: 250 MB. */
export const MAX_BYTES = 250_000_000;

const TERMINAL = { pause: doNotPause, maxResultBytes: MAX_BYTES };

/**
 * Runs an operation with the arguments of a command line. Returns the members of the
 * endpoint's JSON object, of which the first is the result; it may be bytes without `--json`.
 *
 * @throws {ExitError} with status 2 for a wrong argument, else 1 for a wrong input.
 */
export async function runOperation(
  operation: Operation,
  args: readonly string[],
  input: Input,
): Promise<Fields> {
  try {
    const values = readValues(operation, args);
    return readAnswer(await run(operation, values, input));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const message = error.describe((name) => writeName(operation, name));
    throw new ExitError(error.names === "input" ? 1 : 2, message);
  }
}

async function run(
  { parameters, command, run }: Operation,
  { json, ...values }: Fields & { readonly json: boolean },
  input: Input,
): Promise<object> {
  if (command?.runStream !== undefined) {
    return await command.runStream({ ...values, json }, input);
  }
  if (!("input" in parameters)) return await run(values, TERMINAL);
  const bytes = await readAll(input);
  if (command?.runBytes !== undefined) {
    return await command.runBytes({ ...values, json }, bytes);
  }
  return await run({ ...values, input: decodeText(bytes) }, TERMINAL);
}

/** The parameters of a command besides `input`, by the way in which they are given. */
export function sortParameters({ parameters, command }: Operation) {
  const { input: _, ...others } = { ...parameters, ...command?.options };
  const entries = Object.entries<Parameter>(others);
  return {
    words: entries.filter(([_name, parameter]) => isWord(parameter)),
    options: entries.filter(([_name, parameter]) => !isWord(parameter)),
  };
}

/** Whether a parameter is a word: a choice that must be made. */
function isWord({ isRequired, schema }: Parameter): boolean {
  return isRequired && schema.enum !== undefined;
}

/** Whether a parameter is an option without a value. */
export function isSwitch({ schema }: Parameter): boolean {
  return schema.type === "boolean";
}

/** Returns the name of a parameter as the help has it. */
function writeName({ parameters }: Operation, name: string): string {
  if (name === "input") return "standard input";
  const parameter = parameters[name];
  return parameter !== undefined && isWord(parameter)
    ? name.toUpperCase()
    : `--${name}`;
}

/** @throws {InputError} or {ExitError} for a wrong argument. */
function readValues(operation: Operation, args: readonly string[]) {
  const { words, options } = sortParameters(operation);
  const given = readArguments(args, {
    wordCount: words.length,
    options: options.filter(([_, parameter]) => !isSwitch(parameter))
      .map(([name]) => name),
    switches: options.filter(([_, parameter]) => isSwitch(parameter))
      .map(([name]) => name),
  });
  const values: Record<string, unknown> = {};
  for (const [i, [name, parameter]] of words.entries()) {
    values[name] = parameter.fromText(name, given.words[i]);
  }
  for (const [name, parameter] of options) {
    const value = given.options[name];
    values[name] = typeof value === "boolean"
      ? value
      : parameter.fromText(name, value);
  }
  return { ...values, json: given.json };
}

/** Returns the members of an answer, which may be the bytes of a JSON text. */
function readAnswer(answer: object): Fields {
  if (!(answer instanceof Uint8Array)) return { ...answer };
  const text = new TextDecoder().decode(answer);
  freeBuffer((answer as Bytes).buffer);
  return JSON.parse(text);
}

async function readAll(input: Input): Promise<Bytes> {
  const chunks: Bytes[] = [];
  let byteLength = 0;
  for await (const chunk of input) {
    byteLength += chunk.byteLength;
    if (byteLength > MAX_BYTES) {
      const rule = `must be at most ${MAX_BYTES} bytes`;
      throw new InputError("input", rule);
    }
    chunks.push(chunk);
  }
  return await new Blob(chunks).bytes();
}

function decodeText(bytes: Bytes): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new InputError("input", "must be UTF-8");
  return text;
}
