/** The help text for the terminal commands, generated from the operations' definitions. */

import type { Operation } from "../operation/operation.ts";
import type { Parameter } from "../operation/parameters.ts";
import { quoteForShell } from "../format_value.ts";
import { sortParameters } from "./arguments.ts";

/** Maximum line length of the help text, in columns. */
const COLUMNS = 80;

/** Columns, counted from 0, where the descriptions of commands and arguments start. */
const COMMAND_COLUMN = 14;
const ARGUMENT_COLUMN = 26;

type Row = readonly [label: string, description: string];

/** Formats the help that `devutils --help` prints. */
export function formatOverview(operations: readonly Operation[]): string {
  const rows: Row[] = [
    ...operations.map((each): Row => [each.name, getSummary(each)]),
    ["serve", "Serve over HTTP (default)"],
    [
      "mcp",
      "Serve tools to a local AI agent through standard input and output",
    ],
    ["--version", "Print the version"],
    ["-h, --help", "Show this help, or the help of a command"],
  ];
  return `Developer Utilities in the terminal

Usage: devutils COMMAND [OPTIONS]
Example: printf %s abc | devutils hash sha256

${formatRows(rows, COMMAND_COLUMN)}`;
}

/** Formats the help that `devutils NAME --help` prints. */
export function formatHelp(operation: Operation): string {
  const { name, parameters } = operation;
  const { positionals, options } = sortParameters(operation);
  const { input } = parameters;
  const usage = [
    "devutils",
    name,
    ...positionals.map(([name]) => name.toUpperCase()),
    ...options.filter(([_name, { isRequired }]) => isRequired)
      .map(([name, parameter]) => formatOption(name, parameter)),
    "[OPTIONS]",
    ...(input ? ["[FILE]"] : []),
  ];
  const rows: Row[] = [
    ...positionals.map(describePositional),
    ...(input ? [describeFile(input)] : []),
    ...options.map(([name, parameter]): Row => [
      formatOption(name, parameter),
      describeOption(parameter),
    ]),
    ["--json", "Print the result as JSON, in the API's format"],
    ["-h, --help", "Show this help"],
  ];
  return `${getSummary(operation)}

Usage: ${usage.join(" ")}
${formatExamples(operation)}
${formatRows(rows, ARGUMENT_COLUMN)}`;
}

function getSummary({ summary, command }: Operation): string {
  return command?.summary ?? summary;
}

function describePositional(
  [name, { schema, commandDescription }]: [string, Parameter],
): Row {
  const list = new Intl.ListFormat("en", { type: "disjunction" });
  const choices = list.format((schema.enum ?? []).map(String));
  const description = toPlainText(commandDescription);
  const label = name.toUpperCase();
  return [label, description === "" ? choices : `${choices}: ${description}`];
}

function describeFile({ commandDescription }: Parameter): Row {
  const description = toPlainText(commandDescription);
  return ["FILE", `${description}. Omit it or pass - to read standard input`];
}

function formatOption(name: string, parameter: Parameter): string {
  const { type, enum: choices } = parameter.schema;
  if (type === "boolean") return `--[no-]${name}`;
  const value = choices?.join("|") ?? (type === "integer" ? "NUMBER" : "TEXT");
  return `--${name} ${value}`;
}

function describeOption(
  { commandDescription, schema, isRequired, default: value }: Parameter,
): string {
  const { minimum, maximum } = schema;
  const notes: string[] = [];
  if (isRequired) notes.push("required");
  if (minimum !== undefined) notes.push(`${minimum} to ${maximum}`);
  if (value !== undefined) notes.push(`default ${value}`);
  const description = toPlainText(commandDescription);
  return notes.length === 0
    ? description
    : `${description} (${notes.join(", ")})`;
}

/** Removes backticks and a final period. */
function toPlainText(markdown: string): string {
  return markdown.replaceAll("`", "").replace(/\.$/, "");
}

/**
 * Formats the first example that has parameters as a shell command. If the example has an
 * input, adds a loop over several files.
 */
function formatExamples(operation: Operation): string {
  const { name, examples } = operation;
  const { positionals, options } = sortParameters(operation);
  const sent = Object.values(examples).map((example) => example.sent)
    .find((values) => Object.keys(values).length > 0) ?? {};
  const command = [
    "devutils",
    name,
    ...positionals.map(([name]) => quote(sent[name])),
  ].join(" ");
  const line = [
    command,
    ...options.filter(([name]) => Object.hasOwn(sent, name))
      .map(([name]) => formatArgument(name, sent[name])),
  ].join(" ");
  const { input } = sent;
  if (input === undefined) return `Example: ${line}\n`;
  return `Example: printf %s ${quote(input)} | ${line}
Several files: for f in *; do ${command} "$f"; done
`;
}

function formatArgument(name: string, value: unknown): string {
  if (typeof value !== "boolean") return `--${name} ${quote(value)}`;
  return value ? `--${name}` : `--no-${name}`;
}

/** Quotes a value for a POSIX shell unless it consists of letters and digits. */
function quote(value: unknown): string {
  const string = String(value);
  return /^[\p{L}\p{N}]+$/u.test(string) ? string : quoteForShell(string);
}

/** Formats rows as lines, with labels on the left and wrapped descriptions at `column`. */
function formatRows(rows: readonly Row[], column: number): string {
  const newLine = `\n${" ".repeat(column)}`;
  const width = COLUMNS - column;
  // Matches as many words as fit, or a single longer word.
  const line = new RegExp(`\\S(?:.{0,${width - 1}}(?!\\S)|\\S*)`, "g");
  return rows.map(([label, description]) => {
    const head = `  ${label}`;
    const body = description.match(line)!.join(newLine);
    // Puts a long label on a line of its own.
    const start = head.length < column ? head.padEnd(column) : head + newLine;
    return `${start}${body}\n`;
  }).join("");
}
