import { formatValue } from "../format_value.ts";
import { ExitError } from "./exit_error.ts";

/** The options of a command, named without leading hyphens. */
export interface Syntax {
  /** Options with a value: `--NAME VALUE` or `--NAME=VALUE`. */
  readonly options: readonly string[];
  /** Options without a value: `--NAME`. */
  readonly flags: readonly string[];
  /** Booleans: `--NAME` means true, and `--no-NAME` means false. */
  readonly switches?: readonly string[];
}

/**
 * Reads a command line. In `values`, an option has a string, and a flag or switch has a boolean.
 * The argument after an option is that option's value, even if it starts
 * with a hyphen. `-` and all arguments after `--` are positional. `-h` means `--help`.
 *
 * @throws {ExitError} with status 2 for an invalid command line.
 */
export function readCommandLine(
  args: readonly string[],
  { options, flags, switches = [] }: Syntax,
) {
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
  const values: Record<string, string | boolean | undefined> = {};
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
      throw new ExitError(2, `${label} must not have a value, got ${got}`);
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

/** Creates an error with status 2 for an unknown or unexpected argument. */
export function createArgumentError(
  problem: string,
  argument: string,
  advice = "see --help for a list",
): ExitError {
  return new ExitError(2, `${problem} ${formatValue(argument)}, ${advice}`);
}
