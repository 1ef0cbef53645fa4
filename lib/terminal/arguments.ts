/** Reads the words and options of a command line. */

import { type CommandLine, readCommandLine } from "../system/command_line.ts";
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
  /** Values by name, without `json`. */
  readonly options: CommandLine["values"];
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
  const { words, values: { json, ...values } } = readCommandLine(args, {
    options,
    flags: ["json"],
    switches,
    onOther(argument, kind) {
      if (kind === "word") return;
      throw createUnknownError("option", argument.split("=", 1)[0]!);
    },
  });
  const unknown = words[wordCount];
  if (unknown !== undefined) {
    if (!takesFile) throw createUnknownError("word", unknown);
    const got = formatValue(unknown);
    const message =
      `only one FILE is taken, got also ${got}, type --help for several files`;
    throw new ExitError(2, message);
  }
  return { words, options: values, json: json === true };
}
