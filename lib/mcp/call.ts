/** Calls tools. Each call runs the handler of the tool's endpoint in the same process. */

import { HttpError } from "../http_error.ts";
import type { Fields } from "../http/fields.ts";
import { type Answer, toJsonText } from "../http/answer.ts";
import { doNotPause, NO_BODY, type Pause, type Route } from "../http/router.ts";
import { logError } from "../log.ts";
import { formatValue } from "../format_value.ts";
import type { Tool } from "./tools.ts";

/** Largest result of a tool, in bytes of the endpoint's JSON text, inclusive: 1 MiB. */
export const MAX_RESULT_BYTES = 1024 * 1024;

/** Largest number of unknown arguments that an error message names. */
const MAX_NAMED = 5;

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder();

/** The result of a tool call. */
export interface ToolResult {
  /** The JSON text that the endpoint answered, or an error message for the model. */
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool. Never rejects: a failure is a result with `isError`. */
export type CallTool = (
  tool: Tool,
  args: Fields,
  pause?: Pause,
) => Promise<ToolResult>;

/**
 * Makes the function that calls tools.
 *
 * @param routes Endpoints, among them the endpoint of each tool.
 */
export function createCallTool(routes: readonly Route[]): CallTool {
  function findHandler({ method, path }: Tool): Route["handler"] {
    const route = routes.find((route) =>
      route.method === method && route.pattern.pathname === path
    );
    if (route === undefined) throw new Error(`no route: ${method} ${path}`);
    return route.handler;
  }

  // A placeholder: there is no HTTP request for the endpoint.
  const request = new Request("http://localhost/");

  return async function callTool(tool, args, pause = doNotPause) {
    const problem = findUnknownArguments(tool, args);
    if (problem !== undefined) return createError(problem);
    const { path, hasBody } = tool;
    const given = omitNulls(tool, args);
    try {
      const answer = await findHandler(tool)(request, {
        path,
        query: hasBody ? "" : createQuery(tool, given),
        body: NO_BODY,
        fields: hasBody ? given : undefined,
        maxBodyBytes: Infinity,
        isStopping: () => false,
        pause,
      });
      return readResult(answer, tool);
    } catch (error) {
      if (error instanceof HttpError) return createError(error.message);
      logError("unexpected error", error);
      return createError("internal error");
    }
  };
}

/**
 * Returns the error message for arguments that the tool does not have; `undefined` if
 * there are none.
 */
function findUnknownArguments(
  { definition, argumentNames }: Tool,
  args: Fields,
): string | undefined {
  const unknown = Object.keys(args).filter((name) =>
    !argumentNames.includes(name)
  );
  if (unknown.length === 0) return undefined;
  const named = unknown.slice(0, MAX_NAMED).map(formatValue).join(", ");
  return `${unknown.length === 1 ? "unknown argument" : "unknown arguments"} ${
    unknown.length > MAX_NAMED ? `${named} and more` : named
  }: the arguments of ${definition.name} are ${
    argumentNames.map((name) => JSON.stringify(name)).join(", ")
  }`;
}

/**
 * Removes the optional arguments whose value is `null`: agent frameworks send `null` for
 * an argument that is not given.
 */
function omitNulls({ definition }: Tool, args: Fields): Fields {
  const { required = [] } = definition.inputSchema;
  const given = Object.entries(args).filter(([name, value]) =>
    value !== null || (required as readonly string[]).includes(name)
  );
  return Object.fromEntries(given);
}

/**
 * Writes the arguments of a tool call as the query of a URL. Their types are checked here,
 * because the endpoint gets every value of a query as text.
 *
 * @throws {HttpError} 400 for a value that is not of the parameter's type.
 */
function createQuery({ definition }: Tool, args: Fields): string {
  const schemas = definition.inputSchema["properties"] as Fields;
  const entries = Object.entries(args).map(([name, value]) => {
    const schema = schemas[name] as ParameterSchema;
    if (isOfType(value, schema)) return [name, String(value)];
    throw new HttpError(
      400,
      `"${name}" must be ${describeType(schema)}, got ${formatValue(value)}`,
    );
  });
  return String(new URLSearchParams(entries));
}

/** The schema of a query parameter: a boolean, an integer or a string. */
interface ParameterSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

function isOfType(
  value: unknown,
  { type, minimum = -Infinity, maximum = Infinity }: ParameterSchema,
): boolean {
  if (type === "boolean") return typeof value === "boolean";
  if (type !== "integer") return typeof value === "string";
  return Number.isSafeInteger(value) && Number(value) >= minimum &&
    Number(value) <= maximum;
}

function describeType({ type, minimum, maximum }: ParameterSchema): string {
  if (type === "boolean") return "true or false";
  if (type !== "integer") return "a string";
  return `an integer from ${minimum} to ${maximum}`;
}

function readResult(answer: Answer, tool: Tool): ToolResult {
  if (answer instanceof Response) throw new TypeError("no JSON text");
  const text = toJsonText(answer);
  const bytes = typeof text === "string" ? utf8Encoder.encode(text) : text;
  return bytes.byteLength > MAX_RESULT_BYTES
    ? createSizeError(bytes.byteLength, tool)
    : { text: utf8Decoder.decode(bytes), isError: false };
}

function createSizeError(
  byteLength: number,
  { method, path }: Tool,
): ToolResult {
  return createError(
    `the result would have ${byteLength} bytes, a tool returns at most ${MAX_RESULT_BYTES}: for more, use ${method} ${path} of the service over HTTP`,
  );
}

function createError(text: string): ToolResult {
  return { text, isError: true };
}
