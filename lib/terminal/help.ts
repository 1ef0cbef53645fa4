/** The help of the terminal commands, generated from the definitions of the operations. */

import type { Operation } from "../operation/operation.ts";
import type { Parameter } from "../operation/parameters.ts";
import { quoteForShell } from "../quote.ts";
import { hasInput, isSwitch, sortParameters } from "./arguments.ts";

/** Width to which descriptions in the help are wrapped, in columns. */
const COLUMNS = 80;

/** Columns, counted from 0, where the descriptions of commands and of arguments start. */
const COMMAND_COLUMN = 14;
const ARGUMENT_COLUMN = 26;

type Row = readonly [label: string, text: string];

/** Returns the help of the program, which `devutils --help` prints. */
export function formatOverview(operations: readonly Operation[]): string {
  const rows: Row[] = [
    ...operations.map((each): Row => [each.name, getSummary(each)]),
    ["serve", "Serve over HTTP, which is the default"],
    [
      "mcp",
      "Serve tools to a local AI agent through standard input and output",
    ],
    ["--version", "Print the version"],
    ["-h, --help", "Show this help, or after a command its options"],
  ];
  return `Developer Utilities in the terminal

Usage: devutils COMMAND [OPTIONS]
Example: printf %s abc | devutils hash sha256

${formatRows(rows, COMMAND_COLUMN)}`;
}

/** Returns the help of a command, which `devutils NAME --help` prints. */
export function formatHelp(operation: Operation): string {
  const { words, options } = sortParameters(operation);
  const usage = [
    "devutils",
    operation.name,
    ...words.map(([name]) => name.toUpperCase()),
    ...options.filter(([_name, { isRequired }]) => isRequired)
      .map(([name, parameter]) => formatOption(name, parameter)),
    "[OPTIONS]",
    ...(hasInput(operation) ? ["[FILE]"] : []),
  ];
  const rows: Row[] = [
    ...words.map(describeWord),
    ...(hasInput(operation) ? [describeFile(operation)] : []),
    ...options.map(([name, parameter]): Row => [
      formatOption(name, parameter),
      describeOption(parameter),
    ]),
    ["--json", "Print the result as JSON, in the API's format"],
    ["-h, --help", "Show this help"],
  ];
  return `${getSummary(operation)}

Usage: ${usage.join(" ")}
Example: ${formatExample(operation)}
${hasInput(operation) ? `Several files: ${formatLoop(operation)}\n` : ""}
${formatRows(rows, ARGUMENT_COLUMN)}`;
}

function getSummary({ summary, command }: Operation): string {
  return command?.summary ?? summary;
}

function describeWord(
  [name, { schema, commandDescription }]: [string, Parameter],
): Row {
  const list = new Intl.ListFormat("en", { type: "disjunction" });
  const text = list.format((schema.enum ?? []).map(String));
  const description = toPlainText(commandDescription);
  const row = description === "" ? text : `${text}: ${description}`;
  return [name.toUpperCase(), row];
}

function describeFile({ parameters }: Operation): Row {
  const text = toPlainText(parameters["input"]!.commandDescription);
  return ["FILE", `${text}. Omit it or pass - to read standard input`];
}

function formatOption(name: string, parameter: Parameter): string {
  const { type, enum: choices } = parameter.schema;
  if (isSwitch(parameter)) return `--[no-]${name}`;
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
  const text = toPlainText(commandDescription);
  return notes.length === 0 ? text : `${text} (${notes.join(", ")})`;
}

/** Removes backticks from a Markdown text, and a full stop at its end. */
function toPlainText(markdown: string): string {
  return markdown.replaceAll("`", "").replace(/\.$/, "");
}

/** Returns a shell command for the first example that sends parameters. */
function formatExample(operation: Operation): string {
  const { name, examples } = operation;
  const { words, options } = sortParameters(operation);
  const sent = Object.values(examples).map((example) => example.sent)
    .find((fields) => Object.keys(fields).length > 0) ?? {};
  const line = [
    "devutils",
    name,
    ...words.map(([word]) => quote(sent[word])),
    ...options.filter(([option]) => Object.hasOwn(sent, option))
      .map(([option, parameter]) =>
        formatArgument(option, parameter, sent[option])
      ),
  ].join(" ");
  const { input } = sent;
  return input === undefined ? line : `printf %s ${quote(input)} | ${line}`;
}

/** Returns a loop of a POSIX shell over files, with the words of the first example. */
function formatLoop(operation: Operation): string {
  const { words } = sortParameters(operation);
  const sent = Object.values(operation.examples)[0]?.sent ?? {};
  const line = [
    "devutils",
    operation.name,
    ...words.map(([word]) => sent[word]),
  ];
  return `for f in *; do ${line.join(" ")} "$f"; done`;
}

function formatArgument(
  name: string,
  parameter: Parameter,
  value: unknown,
): string {
  if (!isSwitch(parameter)) return `--${name} ${quote(value)}`;
  return value ? `--${name}` : `--no-${name}`;
}

/** Quotes a value for a POSIX shell, unless it is one or more letters and digits. */
function quote(value: unknown): string {
  const text = String(value);
  return /^[\p{L}\p{N}]+$/u.test(text) ? text : quoteForShell(text);
}

/** Formats rows as lines: labels on the left, and wrapped texts that start at `column`. */
function formatRows(rows: readonly Row[], column: number): string {
  const width = COLUMNS - column;
  const lines = rows.flatMap(([label, text]) => {
    const head = `  ${label}`;
    const body = wrap(text, width).map((line) => " ".repeat(column) + line);
    // A label that reaches into the column of the text has a line of its own.
    if (head.length >= column) return [head, ...body];
    const [first, ...others] = body;
    return [head + first!.slice(head.length), ...others];
  });
  return `${lines.join("\n")}\n`;
}

/** Splits a text at spaces into lines of at most `width` characters, or one longer word. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
