/**
 * Reads command lines by `parseArgs()` of the standard library, and rejects mistakes that it
 * accepts.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { formatValue } from "../values/format_value.ts";
import { ExitError } from "./exit_error.ts";

/** The options that a command line may have. All names are without hyphens at the start. */
export interface Syntax {
  /** Options with a value: `--NAME VALUE` or `--NAME=VALUE`. */
  readonly options: readonly string[];
  /** Switches that are off, unless they are given: `--NAME`. */
  readonly flags: readonly string[];
  /** Switches that are turned on by `--NAME`, and off by `--no-NAME`. */
  readonly switches?: readonly string[];
  /** Short forms by name, such as `{ help: "h" }` for `-h`. */
  readonly alias?: Readonly<Record<string, string>>;
  /** Is called for each other option, and for each word. May throw. */
  readonly onOther: (argument: string, kind: "option" | "word") => void;
}

/** The words and options of a command line. */
export interface CommandLine {
  readonly words: readonly string[];
  /**
   * Values by name: a string for an option, a boolean for a flag or switch, `undefined` for
   * an option or switch that is not given.
   */
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/**
 * Reads a command line.
 *
 * @throws {ExitError} with status 2 for a flag or switch with a value (`--NAME=VALUE`), and
 * for an option, flag or switch that is given more than once.
 * @throws the error of `onOther()`.
 */
export function readCommandLine(
  args: readonly string[],
  { options, flags, switches = [], alias = {}, onOther }: Syntax,
): CommandLine {
  const withoutValue = [...flags, ...switches];
  const joined = joinValues(args, options);
  const { _: words, ...values } = parseArgs(
    closeSwitches(joined, withoutValue),
    {
      // Without `_`, `parseArgs()` would convert words such as `10` to numbers.
      string: ["_", ...options],
      boolean: withoutValue,
      negatable: switches,
      alias,
      default: Object.fromEntries(switches.map((name) => [name, undefined])),
      unknown(argument: string, name?: string) {
        // For a word, `parseArgs()` passes no name.
        onOther(argument, name === undefined ? "word" : "option");
      },
    },
  ) as CommandLine["values"] & { _: string[] };
  rejectMistakes(joined, withoutValue);
  return { words, values };
}

/**
 * Joins each option with the argument after it, to `--NAME=VALUE`. Otherwise `parseArgs()`
 * would read an empty value as a word, and one that begins with a hyphen, such as
 * `-----BEGIN PGP SIGNED MESSAGE-----`, as an option.
 *
 * @param options Names of the options that have a value, without hyphens at the start.
 */
function joinValues(
  args: readonly string[],
  options: readonly string[],
): string[] {
  const joined: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const text = args[i]!;
    if (text === "--") return [...joined, ...args.slice(i)];
    const isOption = text.startsWith("--") && options.includes(text.slice(2));
    if (isOption && i + 1 < args.length) {
      i += 1;
      joined.push(`${text}=${args[i]}`);
    } else {
      joined.push(text);
    }
  }
  return joined;
}

/**
 * Turns a switch before the word `true` or `false` into `--NAME=true`. Otherwise
 * `parseArgs()` would read the word as the value of the switch.
 *
 * @param flags Names of the switches, without hyphens at the start.
 */
function closeSwitches(
  args: readonly string[],
  flags: readonly string[],
): string[] {
  const end = findEnd(args);
  return args.map((text, i) => {
    const isSwitch = i < end && flags.some((flag) => text === `--${flag}`);
    const next = args[i + 1];
    const isBoolean = next === "true" || next === "false";
    return isSwitch && isBoolean ? `${text}=true` : text;
  });
}

/** Returns the index of `--`, after which all arguments are words. */
function findEnd(args: readonly string[]): number {
  return args.includes("--") ? args.indexOf("--") : args.length;
}

/**
 * Rejects two mistakes that `parseArgs()` accepts: a switch with a value (`--NAME=VALUE`),
 * and an option or switch that is given more than once.
 *
 * @param args As `joinValues()` returns them.
 * @param flags Names of the switches, without hyphens at the start.
 * @throws {ExitError} with status 2 for each of these mistakes.
 */
function rejectMistakes(
  args: readonly string[],
  flags: readonly string[],
): void {
  const options = args.slice(0, findEnd(args)).filter((text) =>
    text.startsWith("--")
  );
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
