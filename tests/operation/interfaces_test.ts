/** The same cases in every interface: over HTTP, as tools, as commands, and in the page. */

import { assert, assertEquals } from "@std/assert";
import { InputError } from "../../lib/operation/input_error.ts";
import { ExitError } from "../../lib/process/exit_error.ts";
import type { Operation } from "../../lib/operation/operation.ts";
import { runOperation } from "../../lib/terminal/mod.ts";
import { loadOperations } from "../../routes/operations.ts";
import { type Case, CASES } from "../_cases.ts";
import { call, post } from "../_client.ts";
import { callTool, send } from "../mcp/_agent.ts";

const OPERATIONS = await loadOperations();

type Sent = Case[1];

/** Sends a case. Returns the result or error, or `undefined` if the interface cannot express it. */
type Interface = (operation: string, sent: Sent) => unknown;

async function sendOverHttp(operation: string, sent: Sent): Promise<unknown> {
  const path = `/api/${operation}`;
  const isQuery = typeof sent === "string";
  const { status, body } =
    await (isQuery ? call(`${path}?${sent}`) : post(path, sent));
  if (!("error" in body!)) assertEquals(status, 200);
  else assert(status === 400 || status === 501, `${status}`);
  return body;
}

function find(name: string): Operation {
  return OPERATIONS.find((operation) => operation.name === name)!;
}

async function callAsTool(name: string, sent: Sent): Promise<unknown> {
  const operation = find(name);
  const args = typeof sent === "string" ? readTyped(operation, sent) : sent;
  if (args === undefined) return undefined;
  const { body: { result } } = await send(callTool(operation.tool.name, args));
  const [{ text }] = result.content;
  return result.isError ? { error: text } : JSON.parse(text);
}

/** The notations of values in queries that JSON and command lines also have. */
const NOTATIONS = {
  integer: /^(?:0|-?[1-9]\d{0,9})$/,
  boolean: /^(?:true|false)$/,
  string: /^/,
};

/** Reads a query as JSON values. Returns `undefined` if one has another type or is repeated. */
function readTyped(
  { parameters }: Operation,
  query: string,
): Record<string, unknown> | undefined {
  const args: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    const type = parameters[name]?.schema.type ?? "boolean";
    if (name in args || !NOTATIONS[type].test(text)) return undefined;
    args[name] = type === "string" ? text : JSON.parse(text);
  }
  return args;
}

async function runAsCommand(name: string, sent: Sent): Promise<unknown> {
  const operation = find(name);
  const args = formatArguments(operation, sent);
  if (args === undefined) return undefined;
  const input = typeof sent === "string" ? "" : String(sent["input"]);
  try {
    const chunks = new Blob([input]).stream();
    const line = [...args, "--json"];
    const { result } = await runOperation(operation, line, () => chunks);
    return result;
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    return { error: nameFields(error.message) };
  }
}

/** Formats a command line. Returns `undefined` if it or UTF-8 cannot express a value. */
function formatArguments(
  { name: operation, parameters }: Operation,
  sent: Sent,
): string[] | undefined {
  if (typeof sent === "string") {
    const flags = [...new URLSearchParams(sent)].map(([name, text]) => {
      const type = parameters[name]?.schema.type;
      if (type === undefined) return undefined;
      if (type !== "boolean") return `--${name}=${text}`;
      if (text === "true") return `--${name}`;
      return text === "false" ? `--no-${name}` : undefined;
    });
    return flags.every((flag) => flag !== undefined) ? flags : undefined;
  }
  const { input, ...options } = sent;
  if (typeof input !== "string" || !input.isWellFormed()) return undefined;
  // A JSON file can start with a byte order mark, which isn't part of the document.
  if (operation === "json" && input.startsWith("\ufeff")) return undefined;
  const args: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    const parameter = parameters[name];
    assert(parameter, `CASES: ${operation} has no parameter ${name}`);
    const { schema: { enum: [choice] = [] }, isRequired } = parameter;
    if (value === undefined || (value === null && !isRequired)) continue;
    const isWord = isRequired && choice !== undefined;
    if (isWord && typeof value !== "string") return undefined;
    // A command line cannot distinguish a string from a number.
    if (typeof choice === "number" && typeof value === "string") {
      return undefined;
    }
    args.push(isWord ? String(value) : `--${name}=${value}`);
  }
  return args;
}

/** Replaces a command's wording with the endpoint's. */
function nameFields(line: string): string {
  return line.replace("standard input", '"input"')
    .replace(/^[A-Z]+\b/, (word) => `"${word.toLowerCase()}"`)
    .replaceAll(/--([a-z]+)/g, '"$1"')
    .replace(
      /^-:(\d+):(\d+): (.*?)(?: \(it is empty: .+\))?$/s,
      '"input" must be JSON: $3 at line $1, column $2',
    );
}

/** Formats a result. Removes quotes of numbers, which are strings in queries and commands. */
function format(result: unknown): string {
  return JSON.stringify(result).replace(/got \\"(-?[\d.]+)\\"/, "got $1");
}

/** The message from the page's worker. */
interface Reply {
  readonly results?: readonly {
    readonly result?: unknown;
    readonly algorithm?: string;
  }[];
  readonly error?: {
    readonly parameters: string | readonly string[];
    readonly requirement: string;
    readonly isJson: boolean;
    readonly offset?: number;
    readonly lineAndColumn?: { readonly line: number; readonly column: number };
  };
  readonly failure?: string;
}

/** The worker of the page, which runs the bundle in web/vendor/. */
let worker: Worker;

Deno.test.beforeAll(() => {
  const url = new URL("../../web/worker.js", import.meta.url);
  worker = new Worker(url, { type: "module" });
});

Deno.test.afterAll(() => worker.terminate());

/** Formats an error of the page like the service does. */
function formatError(
  { parameters, requirement, isJson, offset, lineAndColumn }: NonNullable<
    Reply["error"]
  >,
): string {
  const position = offset === undefined
    ? {}
    : { position: { offset, ...isJson && lineAndColumn && { lineAndColumn } } };
  return new InputError(parameters, requirement, position).message;
}

async function computeInWorker(name: string, sent: Sent): Promise<unknown> {
  const { parameters } = find(name);
  const values = formatValues(parameters, sent);
  if (values === undefined) return undefined;
  const { promise, resolve } = Promise.withResolvers<Reply>();
  worker.onmessage = ({ data: { reply } }) => reply && resolve(reply);
  worker.postMessage({ id: 1, job: { name, values } });
  const { results = [], error, failure } = await promise;
  assertEquals(failure, undefined);
  // The page computes all digests, and offers no other algorithms.
  const { algorithm } = values;
  const result = algorithm === undefined && name !== "hash"
    ? results[0]
    : results.find((result) => result.algorithm === algorithm);
  if (name === "hash" && error === undefined && result === undefined) {
    return undefined;
  }
  // The page shows bytes, which the service rejects.
  if (result?.result instanceof Uint8Array) return undefined;
  return result ?? { error: error && formatError(error) };
}

/** Formats values as strings. Returns `undefined` if strings cannot express them. */
function formatValues(
  parameters: Operation["parameters"],
  sent: Sent,
): Record<string, string> | undefined {
  const isQuery = typeof sent === "string";
  const entries = isQuery
    ? [...new URLSearchParams(sent)]
    : Object.entries(sent);
  const values: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    if (name in values || typeof value === "object") return undefined;
    const { type } = parameters[name]?.schema ?? {};
    const isString = typeof value === "string";
    if (!isQuery && type !== undefined && isString !== (type === "string")) {
      return undefined;
    }
    values[name] = String(value);
  }
  return values;
}

/** The interfaces, each with the share of the cases that it must be able to express. */
const INTERFACES: readonly (readonly [string, Interface, share: number])[] = [
  ["over HTTP", sendOverHttp, 1],
  ["as a tool", callAsTool, 0.8],
  ["as a command", runAsCommand, 0.8],
  ["in the page", computeInWorker, 0.9],
];

/** The errors of each operation, and its examples without random results, as cases. */
const DEFINED_CASES = OPERATIONS.flatMap((
  { method, name, examples, errors = {} },
): Case[] => {
  const write = (sent: object) =>
    method === "GET"
      ? new URLSearchParams(Object.entries(sent)).toString()
      : { ...sent };
  const fixed = method === "GET" ? [] : Object.values(examples);
  return [
    ...fixed.map(({ sent, result }): Case => [name, write(sent), result]),
    ...Object.values(errors).map(({ sent, message }): Case => {
      return [name, write(sent), { error: message }];
    }),
  ];
});

const ALL_CASES = [...DEFINED_CASES, ...CASES];

/** Responses over HTTP, by case. */
const references = new Map<Case, unknown>();

for (const [name, send, share] of INTERFACES) {
  Deno.test(`each case has its result or error ${name}, the same as over HTTP`, async () => {
    const faults: string[] = [];
    let count = 0;
    for (const each of ALL_CASES) {
      const [operation, sent, expected] = each;
      const result = await send(operation, sent);
      if (result === undefined) continue;
      count += 1;
      if (!references.has(each)) {
        references.set(each, await sendOverHttp(operation, sent));
      }
      // All random operations are called by a query.
      const isRandom = typeof sent === "string";
      const reference = "error" in (result as object) || !isRandom
        ? references.get(each)
        : result;
      const text = format(result);
      const isExpected = expected instanceof RegExp
        ? expected.test(JSON.stringify(result))
        : text === format(expected);
      if (isExpected && text === format(reference)) continue;
      const shown = JSON.stringify(sent).slice(0, 80);
      const wanted = expected instanceof RegExp ? expected : format(expected);
      faults.push(
        `${operation} ${shown}: got ${text.slice(0, 200)}, expected ${wanted}`,
      );
    }
    assertEquals(faults, []);
    assert(count >= share * ALL_CASES.length, `${count} cases`);
  });
}
