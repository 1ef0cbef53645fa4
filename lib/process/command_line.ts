import { formatValue } from "../format_value.ts";
import { ExitError } from "./exit_error.ts";

/** The options of a command. Names have no hyphens at the start. */
export interface Syntax {
  /** Options with a value: `--NAME VALUE` or `--NAME=VALUE`. */
  readonly options: readonly string[];
  /** Switches that can only be turned on: `--NAME`. */
  readonly flags: readonly string[];
  /** Switches that `--NAME` turns on and `--no-NAME` turns off. */
  readonly switches?: readonly string[];
}

/** The positional arguments and the options of a command line. */
export interface CommandLine {
  readonly positionals: readonly string[];
  /** Values by name: a string for an option, a boolean for a flag or switch. */
  readonly values: Record<string, string | boolean | undefined>;
}

/**
 * Reads a command line. The argument after an option is its value, even if it starts with a
 * hyphen. `-` and all arguments after `--` are positional. `-h` stands for `--help`.
 *
 * @throws {ExitError} with status 2 for an unknown or repeated option, flag, or switch, and
 * for a flag or switch with a value (`--NAME=VALUE`).
 */
export function readCommandLine(
  args: readonly string[],
  { options, flags, switches = [] }: Syntax,
): CommandLine {
  const known = new Map<string, { name: string; value?: boolean }>();
  known.set("-h", { name: "help", value: true });
  for (const name of options) known.set(`--${name}`, { name });
  for (const name of [...flags, ...switches]) {
    known.set(`--${name}`, { name, value: true });
  }
  for (const name of switches) {
    known.set(`--no-${name}`, { name, value: false });
  }

  const positionals: string[] = [];
  const values: Record<string, string | boolean> = {};
  const remaining = args.values();
  for (const argument of remaining) {
    if (argument === "--") {
      positionals.push(...remaining);
      break;
    }
    if (argument === "-" || !argument.startsWith("-")) {
      positionals.push(argument);
      continue;
    }
    const [, label = "", inline] = /^([^=]*)(?:=(.*))?$/s.exec(argument)!;
    const option = known.get(label);
    if (option === undefined) {
      throw createArgumentError("unknown option", label);
    }
    const { name, value } = option;
    if (value !== undefined && inline !== undefined) {
      const got = formatValue(inline);
      throw new ExitError(2, `${label} takes no value, got ${got}`);
    }
    if (Object.hasOwn(values, name)) {
      throw new ExitError(
        2,
        `--${name} must appear at most once, got 2 values`,
      );
    }
    values[name] = value ?? inline ?? remaining.next().value ?? "";
  }
  return { positionals, values };
}

/** Creates the error, with status 2, for an argument that a command does not take. */
export function createArgumentError(
  problem: string,
  argument: string,
  advice = "see --help for a list",
): ExitError {
  return new ExitError(2, `${problem} ${formatValue(argument)}, ${advice}`);
}
