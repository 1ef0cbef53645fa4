/**
 * The arguments of a command. A required parameter with choices, such as the action, is
 * positional. The parameter `input` is passed as FILE. All other parameters are options.
 *
 * @module
 */

import type { Operation } from "../operation/operation.ts";
import type { Parameter } from "../operation/parameters.ts";
import {
  createArgumentError,
  readCommandLine,
} from "../process/command_line.ts";
import { ExitError } from "../process/exit_error.ts";
import { formatValue } from "../format_value.ts";

/** Sorts a command's parameters, except `input`, into positional arguments and options. */
export function sortParameters({ parameters, command }: Operation) {
  const { input: _, ...withoutInput } = {
    ...parameters,
    ...command?.options,
  };
  const { positionals = [], options = [] } = Object.groupBy(
    Object.entries<Parameter>(withoutInput),
    ([_name, it]) => isPositional(it) ? "positionals" : "options",
  );
  return { positionals, options };
}

function isPositional({ isRequired, schema }: Parameter): boolean {
  return isRequired && schema.enum !== undefined;
}

/** Returns the name of a parameter for messages, such as `ACTION` or `--indent`. */
export function formatName({ parameters }: Operation, name: string): string {
  const parameter = parameters[name];
  return parameter !== undefined && isPositional(parameter)
    ? name.toUpperCase()
    : `--${name}`;
}

/** Arguments of a command. `path` is FILE, or `undefined` for standard input. */
export type Arguments = ReturnType<typeof readArguments>;

/**
 * Reads the arguments of a command.
 *
 * @throws {ExitError} with status 2 for an unknown, repeated, or unexpected argument.
 */
export function readArguments(
  operation: Operation,
  args: readonly string[],
) {
  const sorted = sortParameters(operation);
  const { switches = [], options = [] } = Object.groupBy(
    sorted.options,
    ([_name, { schema }]) => schema.type === "boolean" ? "switches" : "options",
  );
  const line = readCommandLine(args, {
    options: options.map(([name]) => name),
    flags: ["json", "help"],
    switches: switches.map(([name]) => name),
  });
  const { json, help, ...values } = line.values;
  const remaining = [...line.positionals];
  for (const [name] of sorted.positionals) values[name] = remaining.shift();
  // A command accepts FILE if its operation has the parameter `input`.
  const path = operation.parameters["input"] && remaining.shift();
  const [excess] = remaining;
  if (excess !== undefined) {
    if (path === undefined) {
      throw createArgumentError("unexpected argument", excess);
    }
    const got = formatValue(excess);
    const message = `expected one FILE, got a second one: ${got}`;
    throw new ExitError(2, `${message} (see --help for a loop over files)`);
  }
  return {
    values,
    path: path === "-" ? undefined : path,
    json: json === true,
    help: help === true,
  };
}
