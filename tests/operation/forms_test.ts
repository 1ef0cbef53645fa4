/** The same cases in every form of the operations: over HTTP, as tools, as commands and as a library. */

import { assert, assertEquals } from "@std/assert";
import { InputError } from "../../lib/operation/input_error.ts";
import {
  Base64Error,
  decodeForgivingBase64,
  encodeBase64,
} from "../../lib/base64.ts";
import {
  findJsonError,
  formatJson,
  JsonTextError,
  minifyJson,
} from "../../lib/json/mod.ts";
import { ExitError } from "../../lib/process/exit_error.ts";
import type { Operation } from "../../lib/operation/operation.ts";
import { runOperation } from "../../lib/terminal/mod.ts";
import { loadOperations } from "../../routes/operations.ts";
import { type Case, CASES } from "../_cases.ts";
import { call, post } from "../_client.ts";
import { callTool, send } from "../mcp/_agent.ts";

const OPERATIONS = await loadOperations();

type Sent = Case[1];

/** Sends a case in a form. Returns the answer or the error, or `undefined` if the form cannot express the case. */
type Form = (operation: string, sent: Sent) => unknown;

async function sendOverHttp(operation: string, sent: Sent): Promise<unknown> {
  const path = `/api/${operation}`;
  const isQuery = typeof sent === "string";
  const answer = isQuery ? call(`${path}?${sent}`) : post(path, sent);
  const { status, body } = await answer;
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

/** The notations of values in queries that JSON and command lines have, too. */
const NOTATIONS = {
  integer: /^(?:0|-?[1-9]\d{0,9})$/,
  boolean: /^(?:true|false)$/,
  string: /^/,
};

/** Reads a query as JSON values; `undefined` if one is not of its parameter's type, or given twice. */
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
  const args = writeArguments(operation, sent);
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

/** Writes words and options; `undefined` if the command line or UTF-8 cannot express them. */
function writeArguments(
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
  const { input, ...others } = sent;
  if (typeof input !== "string" || !input.isWellFormed()) return undefined;
  // A file of JSON may begin with a byte order mark, which is no part of the text.
  if (operation === "json" && input.startsWith("\ufeff")) return undefined;
  const args: string[] = [];
  for (const [name, value] of Object.entries(others)) {
    const parameter = parameters[name];
    assert(parameter, `CASES: ${operation} has no parameter ${name}`);
    const { schema: { enum: [choice] = [] }, isRequired } = parameter;
    if (value === undefined || (value === null && !isRequired)) continue;
    const isWord = isRequired && choice !== undefined;
    if (isWord && typeof value !== "string") return undefined;
    // A number that is sent as a text is none on a command line.
    if (typeof choice === "number" && typeof value === "string") {
      return undefined;
    }
    args.push(isWord ? String(value) : `--${name}=${value}`);
  }
  return args;
}

/** Replaces the wording of a command by that of the endpoint. */
function nameFields(line: string): string {
  return line.replace("standard input", '"input"')
    .replace(/^[A-Z]+\b/, (word) => `"${word.toLowerCase()}"`)
    .replaceAll(/--([a-z]+)/g, '"$1"')
    .replace(
      /^-:(\d+):(\d+): (.*?)(?: \(it is empty: .+\))?$/s,
      '"input" must be JSON: $3 at line $1, column $2',
    );
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
    return {
      result: error?.message ?? "valid JSON",
      valid: error === undefined,
    };
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

/** The reply of the page's worker. */
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

/** Formats an error, whose parts the page shows in its own way, like the service. */
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
  const texts = writeTexts(parameters, sent);
  if (texts === undefined) return undefined;
  const { promise, resolve } = Promise.withResolvers<Reply>();
  worker.onmessage = ({ data: { reply } }) => reply && resolve(reply);
  const job = { name, values: texts };
  worker.postMessage({ id: 1, job });
  const { results = [], error, failure } = await promise;
  assertEquals(failure, undefined);
  // The page computes all digests, and offers no other algorithm.
  const { algorithm } = texts;
  const answer = algorithm === undefined && name !== "hash"
    ? results[0]
    : results.find((result) => result.algorithm === algorithm);
  if (name === "hash" && error === undefined && answer === undefined) {
    return undefined;
  }
  // Where the page shows bytes, the service refuses them.
  if (answer?.result instanceof Uint8Array) return undefined;
  return answer ?? { error: error && formatError(error) };
}

/** Writes values as texts, as a form has them; `undefined` if a text cannot express them. */
function writeTexts(
  parameters: Operation["parameters"],
  sent: Sent,
): Record<string, string> | undefined {
  const isQuery = typeof sent === "string";
  const entries = isQuery
    ? [...new URLSearchParams(sent)]
    : Object.entries(sent);
  const texts: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    if (name in texts || typeof value === "object") return undefined;
    const { type } = parameters[name]?.schema ?? {};
    const isText = typeof value === "string";
    if (!isQuery && type !== undefined && isText !== (type === "string")) {
      return undefined;
    }
    texts[name] = String(value);
  }
  return texts;
}

/** The forms, and the least number of cases that each can express. */
const FORMS: readonly (readonly [name: string, form: Form, least: number])[] = [
  ["over HTTP", sendOverHttp, CASES.length],
  ["as tools", callAsTool, 800],
  ["as commands", runAsCommand, 800],
  ["as a library", callLibrary, 800],
  ["in the page", computeInWorker, 930],
];

/** The errors of each operation, and those of its examples that are not random, as cases. */
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

/** Answers over HTTP, by case. */
const references = new Map<Case, unknown>();

for (const [name, form, least] of FORMS) {
  Deno.test(`each case has its answer or error ${name}, the same as over HTTP`, async () => {
    const faults: string[] = [];
    let count = 0;
    for (const each of ALL_CASES) {
      const [operation, sent, expected] = each;
      const answer = await form(operation, sent);
      if (answer === undefined) continue;
      count += 1;
      // All random operations are called by a query.
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
      const wanted = expected instanceof RegExp ? expected : write(expected);
      faults.push(
        `${operation} ${shown}: got ${text.slice(0, 200)}, expected ${wanted}`,
      );
    }
    assertEquals(faults, []);
    assert(count >= least, `${count} cases`);
  });
}
