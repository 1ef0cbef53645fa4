/** The help of the terminal, derived from the descriptions of the fields. */

import { MAX_BYTES, STREAMED } from "./bytes.ts";
import type { Command, Field } from "./commands.ts";

/** Longest line of the help, in characters. */
const COLUMNS = 80;

/** A name in a list of the help, and the text beside it. */
type Row = readonly [name: string, text: string];

/** The commands that start a server. */
const PROGRAMS: readonly Row[] = [
  ["serve", "Serve over HTTP, as devutils without a command does"],
  ["mcp", "Serve tools to a local agent, over standard input and output"],
];

/** Returns the names of all commands. */
export function listNames(commands: readonly Command[]): string[] {
  return [
    ...commands.map(({ name }) => name),
    ...PROGRAMS.map(([name]) => name),
  ];
}

/** Writes the help of the whole program: the list of commands. */
export function writeOverview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }): Row => [name, summary]);
  return writeHelp("Developer Utilities Service, in the terminal", {
    usage: "devutils COMMAND [OPTIONS]",
    rows: [
      ...rows,
      ...PROGRAMS,
      ["--version", "Print the version"],
      ["-h, --help", "Print this, or behind a command its options"],
    ],
    example: commands.map(({ example }) => example)[1] ?? "devutils serve",
  });
}

/** Writes the help of one command: its positional arguments (words), standard input and options. */
export function writeCommandHelp(command: Command): string {
  const { name, summary, words, options, input, resultPattern } = command;
  const rows = words.map((word): Row => [word.label, describeField(word)]);
  if (input) {
    const limit = STREAMED.includes(name)
      ? "in any amount"
      : `${MAX_BYTES / 1e6} MB at most`;
    rows.push(["INPUT", `${describeField(input)} (standard input, ${limit})`]);
  }
  rows.push(
    ...options.map((
      option,
    ): Row => [writeOption(option), describeField(option)]),
  );
  if (resultPattern) {
    rows.push([
      "--check RESULT",
      "Fail, with status 1, unless this is the result",
    ]);
  }
  rows.push(["--json", "Print the JSON object of the API"], [
    "-h, --help",
    "Print this",
  ]);
  const labels = words.map(({ label }) => label);
  const usage = [
    "devutils",
    name,
    ...labels,
    "[OPTIONS]",
    ...input ? ["< INPUT"] : [],
  ];
  return writeHelp(summary, {
    usage: usage.join(" "),
    rows,
    example: command.example,
  });
}

function writeOption(
  { label, schema: { type, enum: choices } }: Field,
): string {
  if (type === "boolean") return label.replace("--", "--[no-]");
  return `${label} ${
    choices?.join("|") ?? (type === "integer" ? "NUMBER" : "TEXT")
  }`;
}

function describeField({ schema }: Field): string {
  const { description, enum: choices, minimum, maximum, default: value } =
    schema;
  const notes = [
    ...maximum === undefined ? [] : [`${minimum ?? 0} to ${maximum}`],
    ...value === undefined ? [] : [`default ${value}`],
  ].join(", ");
  const text = (description ?? choices?.join(" or ") ?? "")
    .replaceAll("`", "").replace(/\.$/, "");
  return notes === "" ? text : `${text} (${notes})`;
}

function writeHelp(
  summary: string,
  { usage, rows, example }: {
    readonly usage: string;
    readonly rows: readonly Row[];
    readonly example: string;
  },
): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.flatMap(([name, text]) =>
    wrap(text, COLUMNS - width - 4).map((line, i) =>
      `  ${(i === 0 ? name : "").padEnd(width)}  ${line}`
    )
  );
  return [
    summary,
    "",
    `Usage: ${usage}`,
    "",
    ...lines,
    "",
    `Example: ${example}`,
    "",
  ]
    .join("\n");
}

/** Breaks a text between words into lines of a maximum width, in characters. */
function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (line.length > width) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}
