/**
 * Operations as sections of an HTML page for people: their parameters, their results, and
 * calls with their answers.
 *
 * @module
 */

import {
  findMessage,
  type Operation,
  type Parameters,
} from "../operation/operation.ts";
import type { Fields } from "../json/object.ts";
import type { Parameter } from "../operation/parameters.ts";
import type { Members, MemberSchema } from "../operation/result.ts";
import { quoteForShell } from "../quote.ts";

/** Stands in the HTML for the base address of the service, which each request can change. */
export const BASE_ADDRESS = "{baseAddress}";

/** Writes one section for each operation, with its name as the identifier. */
export function writeSections(operations: readonly Operation[]): string {
  return operations.map(writeSection).join("\n");
}

/** Writes the items of a list with a link to each section of `writeSections()`. */
export function writeContents(operations: readonly Operation[]): string {
  return operations.map((operation) =>
    `<li><a href="#${operation.name}">${escape(operation.summary)}</a> ` +
    `<code>${writeEndpoint(operation)}</code></li>`
  ).join("\n");
}

/** Writes the items of a list of the operations' tools for agents. */
export function writeTools(operations: readonly Operation[]): string {
  return operations.map(({ name, tool, summary }) =>
    `<li><code>${tool.name}</code>: ` +
    `<a href="#${name}">${escape(summary)}</a></li>`
  ).join("\n");
}

/** Writes a heading with its identifier, which is also a link to itself. */
export function writeHeading(level: 2 | 3, id: string, text: string): string {
  return `<h${level} id="${id}"><a href="#${id}">${
    escape(text)
  }</a></h${level}>`;
}

/** A call of the service, and its answer. */
export interface Call {
  /** Path and query. A query must be encoded like a form, as by `URLSearchParams`. */
  readonly path: string;
  /** The body of a POST; a GET has none. */
  readonly body?: object;
  readonly status: number;
  readonly answer: object;
}

/** Writes a call as a command for curl, and below it the status and the JSON text. */
export function writeCall({ path, body, status, answer }: Call): string {
  // A POSIX shell interprets nothing in the URL: of the characters that it interprets in
  // double quotes, neither a base address nor an encoded query has one.
  const url = `&quot;${BASE_ADDRESS}${escape(path)}&quot;`;
  const data = body === undefined
    ? ""
    : ` -d ${escape(quoteForShell(writeJson(body)))}`;
  return `<div class="call">
<pre><code>curl ${url}${data}</code></pre>
<pre><b>${status}</b> <samp>${escape(JSON.stringify(answer))}</samp></pre>
</div>`;
}

function writeSection(operation: Operation): string {
  const { name, method, summary, description, parameters, results } = operation;
  const given = method === "GET"
    ? "Parameters of the query"
    : "Fields of the JSON object to send";
  const alternatives = Object.values(results).map(writeMembers);
  const calls = Object.values(operation.examples).map(({ sent, result }) =>
    writeCall({ ...request(operation, sent), status: 200, answer: result })
  );
  const refused = Object.values(operation.errors ?? {}).map((call) =>
    writeCall({
      ...request(operation, call.sent),
      status: call.isUnsupported ? 501 : 400,
      answer: { error: findMessage(call, operation) },
    })
  );
  return [
    "<section>",
    writeHeading(2, name, summary),
    `<p class="endpoint"><code>${writeEndpoint(operation)}</code></p>`,
    `<p>${writeMarkdown(description)}</p>`,
    writeHeading(3, `${name}-parameters`, given),
    writeParameters(parameters),
    writeHeading(3, `${name}-answer`, "Members of the answer"),
    alternatives.join("\n<p>or</p>\n"),
    writeHeading(3, `${name}-calls`, "Calls and their answers"),
    ...calls,
    ...(refused.length === 0
      ? []
      : [writeHeading(3, `${name}-errors`, "Refused calls"), ...refused]),
    "</section>",
  ].join("\n");
}

function writeEndpoint({ method, name }: Operation): string {
  return `${method} /api/${name}`;
}

/** Returns the request that sends these values to an operation. */
function request(
  { method, name }: Operation,
  sent: Fields,
): Pick<Call, "path" | "body"> {
  const path = `/api/${name}`;
  if (method === "POST") return { path, body: sent };
  const query = new URLSearchParams(
    Object.entries(sent).map(([key, value]) => [key, String(value)]),
  );
  return { path: query.size === 0 ? path : `${path}?${query}` };
}

/** Writes a JSON object in one line, with a space after each comma and colon. */
function writeJson(value: object): string {
  return JSON.stringify(value, null, 1)
    .replace(/^\{\n */, "{")
    .replace(/\n\}$/, "}")
    .replaceAll(/\n */g, " ");
}

function writeParameters(parameters: Parameters): string {
  const rows = Object.entries(parameters).map(([name, parameter]) => {
    const text = [
      `${describeParameter(parameter)}.`,
      writeMarkdown(parameter.description),
    ].join(" ");
    return `<dt><code>${name}</code></dt>\n<dd>${text}</dd>`;
  });
  return `<dl>\n${rows.join("\n")}\n</dl>`;
}

/** Describes type, valid values and default, such as `Integer, 1 to 128; default 16`. */
function describeParameter({ schema, ...parameter }: Parameter): string {
  const { type, enum: choices = [], minimum, maximum } = schema;
  const parts = [`${type.charAt(0).toUpperCase()}${type.slice(1)}`];
  if (choices.length > 0) parts.push(writeChoices(choices));
  if (minimum !== undefined) parts.push(`${minimum} to ${maximum}`);
  const values = parts.join(", ");
  if (parameter.isRequired) return `${values}; required`;
  return parameter.default === undefined
    ? `${values}; optional`
    : `${values}; default <code>${escape(String(parameter.default))}</code>`;
}

function writeMembers(members: Members): string {
  const rows = Object.entries(members).map(([name, schema]) => {
    const { description = "" } = schema;
    const text = `${describeMember(schema)}. ${writeMarkdown(description)}`;
    return `<dt><code>${name}</code></dt>\n<dd>${text.trim()}</dd>`;
  });
  return `<dl>\n${rows.join("\n")}\n</dl>`;
}

/** Describes the type of a member, such as `Array of 1 to 100 strings`. */
function describeMember(schema: MemberSchema): string {
  if (schema.type === "array") {
    const { minItems, maxItems, items } = schema;
    const count = maxItems === undefined ? "" : `${minItems} to ${maxItems} `;
    return `Array of ${count}${items.type}s`;
  }
  const type = `${schema.type.charAt(0).toUpperCase()}${schema.type.slice(1)}`;
  const choices = schema.type === "string" ? schema.enum ?? [] : [];
  return choices.length === 0 ? type : `${type}, ${writeChoices(choices)}`;
}

/** Writes values as code, such as `2 or 4`. */
function writeChoices(choices: readonly (string | number)[]): string {
  const texts = choices.map((choice) =>
    `<code>${escape(String(choice))}</code>`
  );
  const last = texts.pop();
  return texts.length === 0 ? last! : `${texts.join(", ")} or ${last}`;
}

/** Writes a text with code in backticks, the only Markdown of the definitions, as HTML. */
function writeMarkdown(text: string): string {
  return escape(text).replaceAll(
    /(`+)(.+?)\1(?!`)/g,
    (_span, _quotes, code: string) => `<code>${code}</code>`,
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // No text may be taken for a placeholder, such as `{baseAddress}`.
  "{": "&#123;",
};

/** Escapes a text for HTML, in elements and in quoted attributes. */
function escape(text: string): string {
  return text.replaceAll(/[&<>"{]/g, (character) => ENTITIES[character]!);
}
