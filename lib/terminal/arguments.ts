/**
 * The arguments of a command: which parameter of an operation is a word, and which an option.
 * A required parameter with choices is a word, such as `encode`; the parameter `input` is
 * FILE; any other parameter is an option.
 *
 * @module
 */

import { InputError } from "../operation/input_error.ts";
import type { Operation } from "../operation/operation.ts";
import type { Parameter } from "../operation/parameters.ts";
import { type CommandLine, readCommandLine } from "../system/command_line.ts";
import { ExitError } from "../system/exit_error.ts";
import { formatValue } from "../values/format_value.ts";

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

/** Whether an option is a switch, `--NAME` or `--no-NAME`: if it is a boolean. */
export function isSwitch({ schema }: Parameter): boolean {
  return schema.type === "boolean";
}

/** Returns the name of a parameter for messages, such as `ACTION` or `--indent`. */
export function writeName({ parameters }: Operation, name: string): string {
  const parameter = parameters[name];
  return parameter !== undefined && isWord(parameter)
    ? name.toUpperCase()
    : `--${name}`;
}

/** The arguments that are given to a command. */
export interface Arguments {
  /** Words and values of options by the names of their parameters. */
  readonly values: CommandLine["values"];
  /** FILE; `undefined` if it is not given. */
  readonly path: string | undefined;
  /** Whether `--json` is given. */
  readonly json: boolean;
}

/**
 * Reads the arguments of a command: its words, FILE, options, and `--json`. `--NAME` turns a
 * switch on, `--no-NAME` turns it off.
 *
 * @throws {ExitError} with status 2 for an unknown or repeated option or switch, a value
 * for a switch (`--NAME=VALUE`), or a word after the last that the command takes.
 */
export function readArguments(
  operation: Operation,
  args: readonly string[],
): Arguments {
  const { words, options } = sortParameters(operation);
  const { words: given, values: { json, ...values } } = readCommandLine(args, {
    options: selectNames(options, (parameter) => !isSwitch(parameter)),
    flags: ["json"],
    switches: selectNames(options, isSwitch),
    onOther(argument, kind) {
      if (kind === "word") return;
      throw createUnknownError("option", argument.split("=", 1)[0]!);
    },
  });
  const [path, excess] = hasInput(operation)
    ? given.slice(words.length)
    : [undefined, given[words.length]];
  if (excess !== undefined) throw createWordError(excess, operation, values);
  const ofWords = words.map(([name], i) => [name, given[i]] as const);
  const all = { ...values, ...Object.fromEntries(ofWords) };
  return { values: all, path, json: json === true };
}

function selectNames(
  entries: readonly (readonly [name: string, parameter: Parameter])[],
  isSelected: (parameter: Parameter) => boolean,
): string[] {
  return entries.filter(([_name, parameter]) => isSelected(parameter))
    .map(([name]) => name);
}

/**
 * Creates the error, with status 2, for an unexpected argument.
 *
 * @param kind Kind of the argument: `command`, `word` or `option`.
 */
export function createUnknownError(kind: string, text: string): ExitError {
  const name = formatValue(text);
  return new ExitError(2, `unknown ${kind} ${name}, type --help for a list`);
}

/** Creates the error, with status 2, for a word after the last that a command takes. */
function createWordError(
  word: string,
  operation: Operation,
  values: Arguments["values"],
): ExitError {
  const got = formatValue(word);
  if (hasInput(operation)) {
    const message =
      `only one FILE is taken, got also ${got}, type --help for several files`;
    return new ExitError(2, message);
  }
  const absent = sortParameters(operation).options
    .filter(([name]) => values[name] === undefined);
  const option = findOption(word, absent);
  if (option === undefined) return createUnknownError("word", word);
  const value = /^[\w-]+$/.test(word) ? word : got;
  return new ExitError(2, `unknown word ${got}, use --${option} ${value}`);
}

/**
 * Returns the name of the option that was probably meant by a word: the only required one
 * that takes the word as its value or, if no required one does, the only one that does.
 */
function findOption(
  word: string,
  options: readonly (readonly [name: string, parameter: Parameter])[],
): string | undefined {
  const fitting = options.filter(([_name, parameter]) =>
    !isSwitch(parameter) && isValid(parameter, word)
  );
  const required = fitting.filter(([_name, { isRequired }]) => isRequired);
  const [first, ...others] = required.length > 0 ? required : fitting;
  return others.length === 0 ? first?.[0] : undefined;
}

/** Whether a parameter accepts a text as its value. */
function isValid(parameter: Parameter, text: string): boolean {
  try {
    parameter.fromText("", text);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
