/** Renders the API reference of operations as HTML. */

import type { Operation } from "../operation/operation.ts";
import type { JsonObject } from "../json/object.ts";
import type { ParameterSchema } from "../operation/parameters.ts";
import type { PropertySchema } from "../operation/result.ts";
import { formatAlternatives, quoteForShell } from "../format_value.ts";

/** Placeholder for the base URL, which depends on the request. */
export const BASE_URL = "{baseUrl}";

export function renderSections(operations: readonly Operation[]): string {
  return operations.map(renderSection).join("\n");
}

/** Renders list items with links to the sections. */
export function renderContents(operations: readonly Operation[]): string {
  return operations.map(({ name, method, summary }) =>
    `<li><a href="#${name}">${escape(summary)}</a> ` +
    `<code>${method} /api/${name}</code></li>`
  ).join("\n");
}

/** Renders list items with the agent tools. */
export function renderTools(operations: readonly Operation[]): string {
  return operations.map(({ name, tool, summary }) =>
    `<li><code>${tool.name}</code>: ` +
    `<a href="#${name}">${escape(summary)}</a></li>`
  ).join("\n");
}

function renderSection(operation: Operation): string {
  const { name, method, summary, description } = operation;
  const calls = Object.values(operation.examples).map(({ sent, result }) =>
    renderCall({ ...createRequest(operation, sent), status: 200, result })
  );
  const rejectedCalls = Object.values(operation.errors).map((call) =>
    renderCall({
      ...createRequest(operation, call.sent),
      status: call.isUnsupported ? 501 : 400,
      result: { error: call.message },
    })
  );
  const parameters = Object.entries(operation.parameters).map(
    ([name, { schema, isRequired, default: value, description }]) => {
      const optional = value === undefined
        ? "optional"
        : `default <code>${escape(String(value))}</code>`;
      const requirement = isRequired ? "required" : optional;
      const type = `${describeType(schema)}; ${requirement}`;
      return renderTerm(name, type, description);
    },
  );
  const results = Object.values(operation.results).map((properties) =>
    renderList(
      Object.entries(properties).map(([name, schema]) =>
        renderTerm(name, describeType(schema), schema.description)
      ),
    )
  );
  return [
    "<section>",
    renderHeading(2, name, summary),
    `<p class="endpoint"><code>${method} /api/${name}</code></p>`,
    `<p>${renderMarkdown(description)}</p>`,
    renderHeading(
      3,
      `${name}-parameters`,
      method === "GET" ? "Query parameters" : "Fields of the JSON body",
    ),
    renderList(parameters),
    renderHeading(3, `${name}-response`, "Fields of the response"),
    results.join("\n<p>or</p>\n"),
    renderHeading(3, `${name}-calls`, "Example calls"),
    ...calls,
    renderHeading(3, `${name}-errors`, "Rejected calls"),
    ...rejectedCalls,
    "</section>",
  ].join("\n");
}

/** Renders a heading that links to itself. */
function renderHeading(level: 2 | 3, id: string, heading: string): string {
  const link = `<a href="#${id}">${escape(heading)}</a>`;
  return `<h${level} id="${id}">${link}</h${level}>`;
}

export interface Call {
  /** Path and query, as encoded by `URLSearchParams`. */
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  readonly result: object;
}

/** Renders a curl command, followed by the status and the response body. */
export function renderCall({ path, body, status, result }: Call): string {
  // Base URLs and encoded queries don't contain characters that POSIX shells interpret within
  // double quotes.
  const url = `&quot;${BASE_URL}${escape(path)}&quot;`;
  const data = body === undefined
    ? ""
    : ` -d ${escape(quoteForShell(formatJson(body)))}`;
  return `<div class="call">
<pre><code>curl ${url}${data}</code></pre>
<pre><b>${status}</b> <samp>${escape(JSON.stringify(result))}</samp></pre>
</div>`;
}

function createRequest(
  { method, name }: Operation,
  sent: JsonObject,
): Pick<Call, "path" | "body"> {
  const path = `/api/${name}`;
  if (method === "POST") return { path, body: sent };
  const query = new URLSearchParams(
    Object.entries(sent).map(([key, value]) => [key, String(value)]),
  );
  return { path: query.size === 0 ? path : `${path}?${query}` };
}

/** Formats a JSON object on one line, with a space after each comma and colon. */
function formatJson(value: object): string {
  return JSON.stringify(value, null, 1)
    .replace(/^\{\n */, "{")
    .replace(/\n\}$/, "}")
    .replaceAll(/\n */g, " ");
}

function renderList(terms: readonly string[]): string {
  return `<dl>\n${terms.join("\n")}\n</dl>`;
}

function renderTerm(name: string, type: string, description = ""): string {
  const details = `${type}. ${renderMarkdown(description)}`.trim();
  return `<dt><code>${name}</code></dt>\n<dd>${details}</dd>`;
}

/** Describes a schema, such as `Integer, 1 to 128` or `Array of 1 to 100 strings`. */
function describeType(schema: ParameterSchema | PropertySchema): string {
  if (schema.type === "array") {
    const { minItems, maxItems, items } = schema;
    return `Array of ${minItems} to ${maxItems} ${items.type}s`;
  }
  const parts = [schema.type.charAt(0).toUpperCase() + schema.type.slice(1)];
  if (schema.enum !== undefined) {
    const choices = schema.enum.map((it) =>
      `<code>${escape(String(it))}</code>`
    );
    parts.push(formatAlternatives(choices));
  }
  if ("minimum" in schema) parts.push(`${schema.minimum} to ${schema.maximum}`);
  return parts.join(", ");
}

/** Renders Markdown as HTML. Supports only code in backticks, which is all that definitions use. */
function renderMarkdown(markdown: string): string {
  return escape(markdown).replaceAll(
    /(`+)(.+?)\1(?!`)/g,
    (_span, _quotes, code: string) => `<code>${code}</code>`,
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Keeps text from being mistaken for placeholders such as `{baseUrl}`.
  "{": "&#123;",
};

/** Escapes a string for HTML elements and quoted attributes. */
function escape(string: string): string {
  return string.replaceAll(/[&<>"{]/g, (character) => ENTITIES[character]!);
}
