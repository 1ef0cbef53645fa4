/** Reads the words and options of a command line. */

import { parseArgs } from "@std/cli/parse-args";
import { ExitError } from "../system/exit_error.ts";
import { formatValue } from "../values/format_value.ts";

/**
 * Creates the error, with status 2, for an unexpected argument.
 *
 * @param kind Kind of the argument: `command`, `word` or `option`.
 */
export function createUnknownError(kind: string, text: string): ExitError {
  const name = formatValue(text);
  return new ExitError(2, `unknown ${kind} ${name}, type --help for a list`);
}

export interface Arguments {
  readonly words: readonly string[];
  /**
   * Values by name: a string for an option, a boolean for a switch, `undefined` for one
   * that is not given.
   */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Whether `--json` is given. */
  readonly json: boolean;
}

/**
 * Reads the arguments of a command: at most `wordCount` words, options with a value,
 * switches, and `--json`. `--NAME` turns a switch on, `--no-NAME` turns it off.
 *
 * @throws {ExitError} with status 2 for an unknown or repeated option or switch, a value
 * for a switch (`--NAME=VALUE`), or a word after the first `wordCount`.
 */
export function readArguments(
  args: readonly string[],
  { wordCount, options, switches }: {
    readonly wordCount: number;
    readonly options: readonly string[];
    readonly switches: readonly string[];
  },
): Arguments {
  const flags = [...switches, "json"];
  const { _: words, json, ...values } = parseArgs(
    joinValues(args, { options, flags }),
    {
      // Without `_`, `parseArgs()` would convert words such as `10` to numbers.
      string: ["_", ...options],
      boolean: flags,
      negatable: switches,
      default: Object.fromEntries(switches.map((name) => [name, undefined])),
      unknown(argument: string, name?: string) {
        // For a word, `parseArgs()` passes no name.
        if (name === undefined) return;
        throw createUnknownError("option", argument.split("=", 1)[0]!);
      },
    },
  ) as Arguments["options"] & { _: string[]; json: boolean };
  const unknown = words[wordCount];
  if (unknown !== undefined) throw createUnknownError("word", unknown);
  checkOptions(args, flags);
  return { words, options: values, json };
}

/**
 * Rewrites the arguments that `parseArgs()` would misread. An option and an empty value
 * after it become `--NAME=`: otherwise the value would be read as a word. A switch before
 * the word `true` or `false` becomes `--NAME=true`: otherwise the word would be read as the
 * value of the switch.
 */
export function joinValues(
  args: readonly string[],
  { options, flags }: {
    readonly options: readonly string[];
    readonly flags: readonly string[];
  },
): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const isEmpty = (i: number) => i < end && args[i] === "";
  const isBoolean = (i: number) => args[i] === "true" || args[i] === "false";
  const joined: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const text = args[i]!;
    const name = i < end && text.startsWith("--") ? text.slice(2) : "";
    if (options.includes(name) && isEmpty(i + 1)) {
      joined.push(`${text}=`);
      i += 1;
    } else if (flags.includes(name) && isBoolean(i + 1)) {
      joined.push(`${text}=true`);
    } else {
      joined.push(text);
    }
  }
  return joined;
}

/**
 * Rejects two mistakes that `parseArgs()` accepts: a switch with a value (`--NAME=VALUE`),
 * and an option or switch that is given more than once.
 *
 * @param flags Names of the switches, without hyphens at the start.
 * @throws {ExitError} with status 2 for each of these mistakes.
 */
export function checkOptions(
  args: readonly string[],
  flags: readonly string[],
): void {
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
