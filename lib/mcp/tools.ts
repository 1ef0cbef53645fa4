/**
 * The tools of the Model Context Protocol (MCP), created from an OpenAPI description. A call
 * runs the endpoint of the operation in the same process.
 *
 * @module
 */

import { formatValue } from "../format_value.ts";
import { toJsonText } from "../http/answer.ts";
import { type Fields, isObject } from "../http/fields.ts";
import type { Context, Handler, Route } from "../http/router.ts";
import { HttpError } from "../http/http_error.ts";
import {
  type Description,
  type Operation,
  readOperations,
  type Schema,
} from "../openapi.ts";

/** Largest result of a tool, in bytes of the endpoint's JSON text, inclusive: 1 MiB. */
export const MAX_RESULT_BYTES = 1024 * 1024;

/** Largest number of unknown arguments that an error message names. */
const MAX_NAMED = 4;

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder();

/** An operation as a tool, and the endpoint that the tool calls. */
export interface Tool extends Operation {
  /** The tool as `tools/list` returns it. */
  readonly definition: Fields;
  /** The schemas of the arguments, by name. */
  readonly properties: Readonly<Record<string, Schema>>;
  /** Names of the arguments that must be given. */
  readonly required: readonly string[];
  readonly handler: Handler;
}

/**
 * Creates a tool for each operation of the description that has texts for models.
 *
 * @param routes Endpoints, among them the endpoint of each tool.
 */
export function createTools(
  description: Description,
  routes: readonly Route[],
): Tool[] {
  return readOperations(description).map((operation) => {
    const { name, title, description, input, output, method, path } = operation;
    const { properties = {}, required = [] } = input as Partial<Tool>;
    const definition = {
      name,
      title,
      description,
      inputSchema: {
        ...input,
        type: "object",
        properties,
        additionalProperties: false,
      },
      outputSchema: { ...output, type: "object" },
      annotations: ANNOTATIONS,
    };
    const route = routes.find((route) =>
      route.method === method && route.pattern.pathname === path
    );
    if (route === undefined) throw new Error(`no route: ${method} ${path}`);
    const { handler } = route;
    return { ...operation, definition, properties, required, handler };
  });
}

/**
 * Calls a tool, and returns the JSON text that its endpoint answers.
 *
 * @param request The HTTP request, or a placeholder for one.
 * @throws {HttpError} for arguments that the tool or its endpoint rejects, and for a result
 * above 1 MiB. Its message is for the model.
 */
export async function callTool(
  tool: Tool,
  args: unknown,
  { request, context }: { request: Request; context: Context },
): Promise<string> {
  const { method, path, handler } = tool;
  // Agent frameworks send `null` for a call without arguments.
  const given = selectArguments(tool, args ?? {});
  const input = method === "GET"
    ? { query: createQuery(tool, given) }
    : { query: "", fields: given };
  const answer = await handler(request, { ...context, path, ...input });
  const result = answer instanceof Response
    ? await answer.bytes()
    : toJsonText(answer);
  const bytes = typeof result === "string"
    ? utf8Encoder.encode(result)
    : result;
  if (bytes.length <= MAX_RESULT_BYTES) return utf8Decoder.decode(bytes);
  throw new HttpError(
    400,
    `the result would have ${bytes.length} bytes, a tool returns at most ${MAX_RESULT_BYTES}: for more, use ${method} ${path} of the service over HTTP`,
  );
}

/**
 * Checks the names of the arguments, and removes optional arguments whose value is `null`:
 * agent frameworks send `null` for an argument that is not given.
 */
function selectArguments(tool: Tool, args: unknown): Fields {
  const { name, properties, required } = tool;
  if (!isObject(args)) {
    const got = formatValue(args);
    throw new HttpError(400, `"arguments" must be an object, got ${got}`);
  }
  const unknown = Object.keys(args)
    .filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length > 0) {
    const word = unknown.length === 1 ? "argument" : "arguments";
    const named = unknown.slice(0, MAX_NAMED).map(formatValue).join(", ");
    const more = unknown.length > MAX_NAMED ? " and more" : "";
    const known = Object.keys(properties).map(formatValue).join(", ");
    throw new HttpError(
      400,
      `unknown ${word} ${named}${more}: the arguments of ${name} are ${known}`,
    );
  }
  const given = Object.entries(args)
    .filter(([name, value]) => value !== null || required.includes(name));
  return Object.fromEntries(given);
}

/**
 * Writes arguments as the query of a URL. The endpoint gets every value of a query as text,
 * so the types are checked here.
 */
function createQuery({ properties }: Tool, args: Fields): string {
  const entries = Object.entries(args).map(([name, value]) => {
    const expected = findTypeError(value, properties[name]!);
    if (expected === undefined) return [name, String(value)];
    const got = formatValue(value);
    throw new HttpError(400, `"${name}" must be ${expected}, got ${got}`);
  });
  return String(new URLSearchParams(entries));
}

/**
 * Checks an argument by the schema of its query parameter: an integer with bounds, a
 * boolean or a string. Returns the words for the expected type if the argument has another.
 */
function findTypeError(
  value: unknown,
  { type, minimum, maximum }: Schema,
): string | undefined {
  if (type === "boolean") {
    return typeof value === "boolean" ? undefined : "true or false";
  }
  if (type === "string") {
    return typeof value === "string" ? undefined : "a string";
  }
  const isInRange = Number.isSafeInteger(value) &&
    value! >= minimum! && value! <= maximum!;
  return isInRange ? undefined : `an integer from ${minimum} to ${maximum}`;
}
