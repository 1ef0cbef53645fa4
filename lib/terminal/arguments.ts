/**
 * The arguments of a command: which parameter of an operation is a word, and which an option.
 * A required parameter with choices is a word, such as `encode`; the parameter `input` is
 * FILE; any other parameter is an option.
 *
 * @module
 */

import type { Operation } from "../operation/operation.ts";
import type { Parameter } from "../operation/parameters.ts";
import {
  type CommandLine,
  createArgumentError,
  readCommandLine,
} from "../process/command_line.ts";
import { ExitError } from "../process/exit_error.ts";
import { formatValue } from "../format_value.ts";

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
export function formatName({ parameters }: Operation, name: string): string {
  const parameter = parameters[name];
  return parameter !== undefined && isWord(parameter)
    ? name.toUpperCase()
    : `--${name}`;
}

/** The arguments of a command. */
export interface Arguments {
  /** Words and values of options by the names of their parameters. */
  readonly values: CommandLine["values"];
  /** FILE; `undefined` for standard input. */
  readonly path: string | undefined;
  /** Whether `--json` is set. */
  readonly json: boolean;
  /** Whether `--help` is set. */
  readonly help: boolean;
}

/**
 * Reads the arguments of a command: its words, FILE, options, `--json`, and `--help`.
 *
 * @throws {ExitError} with status 2 for an unknown or repeated option or switch, a value
 * for a switch (`--NAME=VALUE`), or a word after the last that the command takes.
 */
export function readArguments(
  operation: Operation,
  args: readonly string[],
): Arguments {
  const { words: expected, options } = sortParameters(operation);
  const switches = options.filter(([_name, option]) => isSwitch(option));
  const others = options.filter(([_name, option]) => !isSwitch(option));
  const { words, values: { json, help, ...values } } = readCommandLine(args, {
    options: others.map(([name]) => name),
    flags: ["json", "help"],
    switches: switches.map(([name]) => name),
  });
  const remaining = words.slice(expected.length);
  const path = hasInput(operation) ? remaining.shift() : undefined;
  const [excess] = remaining;
  if (excess !== undefined) {
    if (path === undefined) {
      throw createArgumentError("unexpected argument", excess);
    }
    const got = formatValue(excess);
    const message = `expected one FILE, got a second one: ${got}`;
    throw new ExitError(2, `${message} (see --help for a loop over files)`);
  }
  const ofWords = expected.map(([name], i) => [name, words[i]] as const);
  return {
    values: { ...values, ...Object.fromEntries(ofWords) },
    path: path === "-" ? undefined : path,
    json: json === true,
    help: help === true,
  };
}
