/** Reads the words and options of a command line. */

import { parseArgs } from "@std/cli/parse-args";
import { ExitError } from "../system/exit_error.ts";
import {
  checkOptions,
  closeSwitches,
  joinValues,
} from "../system/command_line.ts";
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
  { wordCount, takesFile, options, switches }: {
    readonly wordCount: number;
    /** Whether the last word is a FILE. */
    readonly takesFile: boolean;
    readonly options: readonly string[];
    readonly switches: readonly string[];
  },
): Arguments {
  const flags = [...switches, "json"];
  const joined = joinValues(args, options);
  const { _: words, json, ...values } = parseArgs(
    closeSwitches(joined, flags),
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
  if (unknown !== undefined) {
    if (!takesFile) throw createUnknownError("word", unknown);
    const got = formatValue(unknown);
    const message =
      `only one FILE is taken, got also ${got}, type --help for several files`;
    throw new ExitError(2, message);
  }
  checkOptions(joined, flags);
  return { words, options: values, json };
}
