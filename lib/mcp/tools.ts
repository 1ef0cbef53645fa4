/**
 * Operations as tools of the Model Context Protocol (MCP). A call runs the operation like
 * its endpoint.
 *
 * @module
 */

import { formatValue } from "../format_value.ts";
import { toJsonText } from "../http/answer.ts";
import { MAX_ANSWER_BYTES } from "../http/endpoint.ts";
import { HttpError } from "../http/http_error.ts";
import {
  type Fields,
  isObject,
  type Members,
  type Operation,
  type Pause,
  readFields,
} from "../operation/operation.ts";

/** Largest result of a tool, in bytes of the endpoint's JSON text, inclusive: 1 MiB. */
export const MAX_RESULT_BYTES = 1024 * 1024;

/**
 * Most bytes of an answer for each byte of the result of a tool, which it has as JSON and
 * again as text, where each byte may be escaped.
 */
export const ANSWER_FACTOR = 3;

/** Largest number of unknown arguments that an error message names. */
const MAX_NAMED = 4;

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

/**
 * The keywords that the schemas of results have. Clients send the list of tools to their
 * model, so it should be short: of results, models need only the types.
 */
const RESULT_KEYWORDS = ["type", "format", "enum", "items"];

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder();

/** An operation as a tool. */
export interface Tool {
  readonly name: string;
  readonly operation: Operation;
  /** The tool as `tools/list` returns it. */
  readonly definition: object;
}

/** Creates the tool of an operation. */
export function createTool(operation: Operation): Tool {
  const { tool, summary, result } = operation;
  const { name, description } = tool;
  const definition = {
    name,
    title: summary,
    description,
    inputSchema: createInputSchema(operation),
    outputSchema: createOutputSchema([result].flat()),
    annotations: ANNOTATIONS,
  };
  return { name, operation, definition };
}

function createInputSchema({ method, parameters }: Operation): object {
  const entries = Object.entries(parameters);
  const required = entries.filter(([_name, { isRequired }]) => isRequired)
    .map(([name]) => name);
  const properties = entries.map(([name, parameter]) => {
    const { schema, default: value, toolDescription } = parameter;
    return [name, {
      ...schema,
      // In descriptions of fields the default is a part of the text.
      ...(method === "GET" && value !== undefined && { default: value }),
      ...(toolDescription !== "" && { description: toolDescription }),
    }];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    // Some clients reject an empty list.
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * Creates the schema of the results. `properties` has the members of all results: clients
 * that generate types from schemas, such as FastMCP, ignore `oneOf` beside `type`.
 */
function createOutputSchema(results: readonly Members[]): object {
  const properties = Object.entries<object>(Object.assign({}, ...results))
    .map(([name, schema]) => [name, selectKeywords(schema)]);
  const required = results.map((members) => ({
    required: Object.keys(members),
  }));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(required.length === 1 ? required[0] : { oneOf: required }),
  };
}

/** Returns a schema with only the keywords of `RESULT_KEYWORDS`, at every depth. */
function selectKeywords(schema: object): object {
  return JSON.parse(JSON.stringify(schema, RESULT_KEYWORDS));
}

/**
 * Calls a tool, and returns the JSON text that its endpoint answers.
 *
 * @throws {HttpError} for arguments that the operation rejects, and for a result above 1 MiB.
 * Its message is for the model.
 */
export async function callTool(
  { operation }: Tool,
  args: unknown,
  pause: Pause,
): Promise<string> {
  const { method, name, parameters } = operation;
  // Agent frameworks send `null` for a call without arguments.
  const given = selectArguments(operation, args ?? {});
  const values = readFields(Object.entries(parameters), given);
  const answer = await operation.run(values, {
    pause: (bytes = 0) =>
      pause(ANSWER_FACTOR * Math.min(bytes, MAX_RESULT_BYTES)),
    maxResultBytes: MAX_ANSWER_BYTES,
  });
  const result = toJsonText(answer);
  const bytes = typeof result === "string"
    ? utf8Encoder.encode(result)
    : result;
  if (bytes.length <= MAX_RESULT_BYTES) return utf8Decoder.decode(bytes);
  throw new HttpError(
    400,
    `the result would have ${bytes.length} bytes, a tool returns at most ${MAX_RESULT_BYTES}: for more, use ${method} /api/${name} of the service over HTTP`,
  );
}

/**
 * Checks the names of the arguments, and removes optional arguments whose value is `null`:
 * agent frameworks send `null` for an argument that is not given.
 */
function selectArguments(
  { tool, parameters }: Operation,
  args: unknown,
): Fields {
  if (!isObject(args)) {
    const got = formatValue(args);
    throw new HttpError(400, `"arguments" must be an object, got ${got}`);
  }
  const unknown = Object.keys(args)
    .filter((name) => !Object.hasOwn(parameters, name));
  if (unknown.length > 0) {
    const word = unknown.length === 1 ? "argument" : "arguments";
    const named = unknown.slice(0, MAX_NAMED).map(formatValue).join(", ");
    const more = unknown.length > MAX_NAMED ? " and more" : "";
    const known = Object.keys(parameters).map(formatValue).join(", ");
    throw new HttpError(
      400,
      `unknown ${word} ${named}${more}: the arguments of ${tool.name} are ${known}`,
    );
  }
  const given = Object.entries(args).filter(([name, value]) =>
    value !== null || parameters[name]!.isRequired
  );
  return Object.fromEntries(given);
}
