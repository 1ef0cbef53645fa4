/**
 * Reads the positional arguments (words) and options of a command. Each sets one field of
 * the request, and is checked by the schema of that field.
 */

import { type Fields, readChoice } from "../http/fields.ts";
import { HttpError } from "../http_error.ts";
import { readInteger, readParameter } from "../http/query.ts";
import { parseInteger } from "../scalars.ts";
import { UsageError } from "../process/arguments.ts";
import { formatValue } from "../format_value.ts";
import { suggest, TRY_HELP } from "../suggest.ts";
import type { Command, Field } from "./commands.ts";

/** A command line that has been read. */
interface Invocation {
  /** The fields that the command line sets: all except the field that standard input sets. */
  readonly fields: Fields;
  readonly help: boolean;
  /** Whether to print the endpoint's JSON object. */
  readonly json: boolean;
  /** The result that `--check` expects, in lower case. */
  readonly check: string | undefined;
}

const ALL_INTEGERS = { min: 0, max: Number.MAX_SAFE_INTEGER };

/**
 * Reads the arguments after a command's name.
 *
 * @throws {UsageError} for an unknown or repeated argument, or an invalid value.
 */
export function readInvocation(
  command: Command,
  args: readonly string[],
): Invocation {
  const { words } = command;
  const values = new URLSearchParams();
  const given = readArguments(command, args, values);
  if (values.has("--help")) {
    return { fields: {}, help: true, json: false, check: undefined };
  }
  if (given.length > words.length) {
    const word = formatValue(given[words.length]);
    throw new UsageError(`unknown word ${word}, ${TRY_HELP}`);
  }
  given.forEach((word, i) => values.append(words[i]!.name, word));
  const fields: Record<string, unknown> = {};
  for (const field of [...words, ...command.options]) {
    const value = readValue(field, values, command);
    if (value !== undefined) fields[field.name] = value;
  }
  const check = readParameter(values, "--check")?.toLowerCase();
  if (check !== undefined && !command.resultPattern?.test(check)) {
    throw new UsageError(`--check must be a result, got ${formatValue(check)}`);
  }
  return { fields, help: false, json: values.has("--json"), check };
}

/** Adds the values of the options to `values`, and returns the arguments that are not options. */
function readArguments(
  { options, resultPattern }: Command,
  args: readonly string[],
  values: URLSearchParams,
): string[] {
  /**
   * Maps each option to the name of its field. For an option that takes no value, the pair
   * also has the value that the option sets: `--no-symbols` is mapped to `symbols` and
   * `false`.
   */
  const known = new Map<string, readonly [name: string, value?: string]>([
    ["--help", ["--help", ""]],
    ["-h", ["--help", ""]],
    ["--json", ["--json", ""]],
  ]);
  if (resultPattern) known.set("--check", ["--check"]);
  for (const { name, label, schema: { type } } of options) {
    const isFlag = type === "boolean";
    if (isFlag) known.set(label.replace("--", "--no-"), [name, "false"]);
    known.set(label, isFlag ? [name, "true"] : [name]);
  }
  const words: string[] = [];
  const rest = args.values();
  for (const arg of rest) {
    if (arg === "--") return [...words, ...rest];
    const [, label = "", value] = /^(--?[^=]+)(?:=([^]*))?$/.exec(arg) ?? [];
    if (label === "") {
      words.push(arg);
      continue;
    }
    const [name, implied] = known.get(label) ?? [];
    if (name === undefined) {
      const hint = suggest(label, [...known.keys()]) ?? TRY_HELP;
      throw new UsageError(`unknown option ${formatValue(label)}, ${hint}`);
    }
    if (implied !== undefined && value !== undefined) {
      throw new UsageError(
        `${label} takes no value, got ${formatValue(value)}`,
      );
    }
    values.append(name, implied ?? value ?? rest.next().value ?? "");
  }
  return words;
}

/** Reads the value of a field with the functions of the endpoints, so that the error messages are the same. */
function readValue(
  { name, schema }: Field,
  values: URLSearchParams,
  command: Command,
): unknown {
  const { type, enum: choices, minimum, maximum } = schema;
  try {
    const text = readParameter(values, name);
    const isMissing = text === undefined;
    if (isMissing && !command.words.some((word) => word.name === name)) return;
    const integer = type === "integer" && !isMissing
      ? parseInteger(text, ALL_INTEGERS)
      : undefined;
    const value = integer ?? text;
    if (choices) return readChoice({ [name]: value }, name, { choices });
    if (maximum === undefined) {
      return type === "boolean" ? text === "true" : value;
    }
    return readInteger(values, name, { min: minimum ?? 0, max: maximum });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const message = relabel(error.message, command);
    const hint = suggest(values.get(name) ?? "", (choices ?? []).map(String));
    throw new UsageError(hint ? `${message}, ${hint}` : message);
  }
}

/** Replaces the names of fields in an endpoint's error message by their names on the command line. */
export function relabel(
  message: string,
  { words, options, input }: Command,
): string {
  const fields = [...words, ...options, ...input ? [input] : []];
  // Names are replaced only before `, got`. The text after it repeats the value that the
  // user has given, which may look like the name of a field.
  const end = message.search(/, got |$/);
  const start = fields.reduce(
    (text, { name, label }) => text.replaceAll(`"${name}"`, label),
    message.slice(0, end),
  );
  return start + message.slice(end);
}
