/** The same cases in every form of the operations: over HTTP, as tools, as commands and as a library. */

import { assert, assertEquals } from "@std/assert";
import {
  Base64Error,
  decodeForgivingBase64,
  encodeBase64,
} from "../lib/base64.ts";
import {
  findJsonError,
  formatJson,
  JsonTextError,
  minifyJson,
} from "../lib/json/mod.ts";
import { ExitError } from "../lib/exit_error.ts";
import { COMMANDS } from "../lib/terminal/commands.ts";
import description from "../routes/openapi.json" with { type: "json" };
import { type Case, CASES } from "./_cases.ts";
import { call, post } from "./_client.ts";
import { callTool, send } from "./mcp/_client.ts";

type Sent = Case[1];

/** Sends a case in a form. Returns the answer or the error, or `undefined` if the form cannot express the case. */
type Form = (operation: string, sent: Sent) => unknown;

async function sendOverHttp(operation: string, sent: Sent): Promise<unknown> {
  const path = `/api/${operation}`;
  const isQuery = typeof sent === "string";
  const answer = isQuery ? call(`${path}?${sent}`) : post(path, sent);
  const { status, body } = await answer;
  assertEquals(status, "error" in body! ? 400 : 200);
  return body;
}

/** The operations of the description by their names. */
const TOOLS = new Map(
  Object.entries(description.paths).map(([path, methods]) => {
    const [operation] = Object.values<{ operationId?: string }>(methods);
    return [path.split("/").at(-1)!, operation!.operationId!];
  }),
);

async function callAsTool(operation: string, sent: Sent): Promise<unknown> {
  const args = typeof sent === "string" ? readTyped(sent) : sent;
  if (args === undefined) return undefined;
  const { body: { result } } = await send(
    callTool(TOOLS.get(operation)!, args),
  );
  const [{ text }] = result.content;
  return result.isError ? { error: text } : JSON.parse(text);
}

/** Reads a query as JSON values; `undefined` if one is not of its parameter's type, or given twice. */
function readTyped(query: string): Record<string, unknown> | undefined {
  const entries = [...new URLSearchParams(query)];
  const isTyped = entries.every(([name, text]) =>
    (isInteger(name) ? /^(?:0|-?[1-9]\d{0,9})$/ : /^(?:true|false)$/).test(text)
  );
  const args = Object.fromEntries(
    isTyped ? entries.map(([name, text]) => [name, JSON.parse(text)]) : [],
  );
  return Object.keys(args).length === entries.length ? args : undefined;
}

/** Whether a parameter is an integer; the others are booleans. */
function isInteger(name: string): boolean {
  return name === "count" || name === "length";
}

async function runAsCommand(operation: string, sent: Sent): Promise<unknown> {
  const args = writeArguments(sent);
  if (args === undefined) return undefined;
  const input = typeof sent === "string" ? "" : String(sent["input"]);
  try {
    const run = COMMANDS.get(operation)!;
    return await run([...args, "--json"], new Blob([input]).stream());
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    return { error: nameFields(error.message) };
  }
}

/** Writes words and options; `undefined` if the command line or UTF-8 cannot express them. */
function writeArguments(sent: Sent): string[] | undefined {
  if (typeof sent === "string") {
    const flags = [...new URLSearchParams(sent)].map(([name, text]) => {
      if (isInteger(name)) return `--${name}=${text}`;
      if (text === "true") return `--${name}`;
      return text === "false" ? `--no-${name}` : undefined;
    });
    return flags.every((flag) => flag !== undefined) ? flags : undefined;
  }
  const { input, variant, indent, ...words } = sent;
  if (typeof input !== "string" || !input.isWellFormed()) return undefined;
  if (typeof indent === "string") return undefined;
  const given = Object.values(words).filter((word) => word !== undefined);
  if (given.some((word) => typeof word !== "string")) return undefined;
  return [
    ...given as string[],
    ...variant === undefined ? [] : [`--variant=${variant}`],
    ...indent === undefined ? [] : [`--indent=${indent}`],
  ];
}

/** Replaces the wording of a command by that of the endpoint. */
function nameFields(line: string): string {
  return line.replace("standard input", '"input"')
    .replace(/^[A-Z]+\b/, (word) => `"${word.toLowerCase()}"`)
    .replaceAll(/--([a-z]+)/g, '"$1"');
}

const utf8Decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Optional fields, whose types are checked when a program is written. */
interface Options {
  readonly variant?: "standard" | "url";
  readonly indent?: 2 | 4;
}

/** The library's functions for each action. */
const LIBRARY: Readonly<
  Record<string, (input: string, options: Options) => object>
> = {
  "base64 encode": (input, { variant }) => ({
    result: encodeBase64(input, variant),
  }),
  "base64 decode": (input) => ({
    result: utf8Decoder.decode(decodeForgivingBase64(input)),
  }),
  "json format": (input, { indent = 2 }) => ({
    result: formatJson(input, { indent }),
    valid: true,
  }),
  "json minify": (input) => ({ result: minifyJson(input), valid: true }),
  "json validate": (input) => {
    const error = findJsonError(input);
    return { result: error ?? "valid JSON", valid: error === undefined };
  },
};

function callLibrary(operation: string, sent: Sent): unknown {
  if (typeof sent === "string") return undefined;
  const { action, input, variant = "standard", indent = 2 } = sent;
  const compute = LIBRARY[`${operation} ${action}`];
  const isTyped = typeof action === "string" && typeof input === "string" &&
    [2, 4].includes(indent as number) &&
    ["standard", "url"].includes(variant as string);
  if (compute === undefined || !isTyped) return undefined;
  try {
    return compute(input, sent as Options);
  } catch (error) {
    if (error instanceof Base64Error) {
      return { error: `"input" ${error.message}` };
    }
    if (error instanceof JsonTextError) {
      return { error: `"input" must be JSON: ${error.message}` };
    }
    // The library decodes to bytes, which need not be text.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Removes the quotes of a number, which is text in a query and on a command line. */
function write(answer: unknown): string {
  return JSON.stringify(answer).replace(/got \\"(-?[\d.]+)\\"/, "got $1");
}

/** The forms, and the least number of cases that each can express. */
const FORMS: readonly (readonly [name: string, form: Form, least: number])[] = [
  ["over HTTP", sendOverHttp, CASES.length],
  ["as tools", callAsTool, 800],
  ["as commands", runAsCommand, 800],
  ["as a library", callLibrary, 800],
];

/** Answers over HTTP, by case. */
const references = new Map<Case, unknown>();

for (const [name, form, least] of FORMS) {
  Deno.test(`each case has its answer or error ${name}, the same as over HTTP`, async () => {
    const faults: string[] = [];
    let count = 0;
    for (const each of CASES) {
      const [operation, sent, expected] = each;
      const answer = await form(operation, sent);
      if (answer === undefined) continue;
      count += 1;
      // Only the operations without a body are random.
      const isRandom = typeof sent === "string";
      if (!references.has(each)) {
        references.set(each, await sendOverHttp(operation, sent));
      }
      const reference = "error" in (answer as object) || !isRandom
        ? references.get(each)
        : answer;
      const text = write(answer);
      const isRight = expected instanceof RegExp
        ? expected.test(JSON.stringify(answer))
        : text === write(expected);
      if (isRight && text === write(reference)) continue;
      const shown = JSON.stringify(sent).slice(0, 80);
      faults.push(`${operation} ${shown}: ${text.slice(0, 200)}`);
    }
    assertEquals(faults, []);
    assert(count >= least, `${count} cases`);
  });
}
