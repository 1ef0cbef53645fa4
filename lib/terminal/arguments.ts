/** Reads the words and options of a command, and checks their values. */

import { parseArgs } from "@std/cli/parse-args";
import { ExitError } from "../exit_error.ts";
import { formatValue } from "../format_value.ts";
import { type IntegerBounds, parseInteger } from "../scalars.ts";

/** Creates the error for an argument that does not exist; `kind` is `word`, for example. */
export function createUnknownError(kind: string, text: string): ExitError {
  const name = formatValue(text);
  return new ExitError(2, `unknown ${kind} ${name}, type --help for a list`);
}

/**
 * Reads the arguments of a command: a number of words, options with a value, switches, and
 * `--json`. A switch is on, unless `--no-` before its name turns it off.
 *
 * @throws {ExitError} for an unknown or repeated argument.
 */
export function readArguments(
  args: readonly string[],
  wordCount: number,
  { options = [], switches = [] }: {
    readonly options?: readonly string[];
    readonly switches?: readonly string[];
  },
) {
  const flags = [...switches, "json"];
  const { _: words, json, ...values } = parseArgs([...args], {
    // Words are not converted to numbers.
    string: ["_", ...options],
    boolean: flags,
    negatable: switches,
    default: Object.fromEntries(switches.map((name) => [name, true])),
    unknown(argument: string, name?: string) {
      // A word has no name.
      if (name === undefined) return;
      throw createUnknownError("option", argument.split("=", 1)[0]!);
    },
  }) as Record<string, unknown> & { _: string[]; json: boolean };
  const unknown = words[wordCount];
  if (unknown !== undefined) throw createUnknownError("word", unknown);
  checkOptions(args, flags);
  return {
    words,
    options: values as Record<string, string | undefined>,
    switches: values as Record<string, boolean>,
    json,
  };
}

/** Rejects what `parseArgs()` accepts: a switch with a value, and an option that is given twice. */
function checkOptions(args: readonly string[], flags: readonly string[]): void {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const options = args.slice(0, end).filter((text) => text.startsWith("--"));
  const names = options.map((text) => text.replace(/^--(no-)?|=.*$/gs, ""));
  names.forEach((name, i) => {
    const [label, value] = options[i]!.split("=", 2);
    if (value !== undefined && flags.includes(name)) {
      const got = formatValue(value);
      throw new ExitError(2, `${label} takes no value, got ${got}`);
    }
    const { length } = names.filter((other) => other === name);
    if (length === 1) return;
    const got = `got it ${length} times`;
    throw new ExitError(2, `--${name} must be given at most once, ${got}`);
  });
}

/** @throws {ExitError} with a list of the choices for any other text; `label` is the argument's name. */
export function readChoice<Choice extends string | number>(
  label: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((choice) => String(choice) === text);
  if (choice !== undefined) return choice;
  const words = choices.map((choice) => formatValue(choice));
  const list = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  throw new ExitError(2, `${label} must be ${list}, got ${formatValue(text)}`);
}

/** @throws {ExitError} for a text that is no integer within the bounds. */
export function readInteger(
  label: string,
  text: string,
  { min, max }: IntegerBounds,
): number {
  const value = parseInteger(text, { min, max });
  if (value !== undefined) return value;
  const valid = `an integer from ${min} to ${max}`;
  throw new ExitError(2, `${label} must be ${valid}, got ${formatValue(text)}`);
}
