/** Exposes operations as tools of the Model Context Protocol (MCP). */

import { Buffer } from "node:buffer";
import { formatValue } from "../format_value.ts";
import { getMaxResultBytes } from "../http/result_limit.ts";
import type { YieldControl } from "../operation/context.ts";
import type {
  Operation,
  Parameters,
  ReadValue,
} from "../operation/operation.ts";
import { describeUnknownNames } from "../operation/unknown_names.ts";
import { isObject, type JsonObject } from "../json/object.ts";
import { ResultSizeError } from "../operation/input_error.ts";
import type { Properties } from "../operation/result.ts";
import { INVALID_PARAMS, RpcError } from "./rpc_error.ts";

/** Maximum size of a tool result, in bytes of JSON. */
export const MAX_TOOL_RESULT_BYTES = 1024 * 1024;

/**
 * Arguments that clients add to calls, and that the server ignores. Any other unknown argument
 * is an error, because a model that sends one expects it to have an effect.
 */
export const CLIENT_ARGUMENTS: readonly string[] = [
  // n8n: https://github.com/n8n-io/n8n/issues/21500 and /37308
  "toolCallId",
  "tool",
  "sessionId",
  // Gemini CLI: https://github.com/MemPalace/mempalace/issues/322
  "wait_for_previous",
];

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

/**
 * The JSON Schema keywords in an `outputSchema`. Clients send the list of tools to the model, so
 * the list should be short. Some validators reject an unknown `format`.
 */
const RESULT_KEYWORDS = ["type", "pattern", "enum", "items"];

export interface Tool {
  readonly name: string;
  readonly operation: Operation;
  /** The JSON object that `tools/list` returns for the tool. */
  readonly definition: object;
}

export function createTool(operation: Operation): Tool {
  const { tool, summary, parameters, results } = operation;
  const { name, description } = tool;
  const definition = {
    name,
    title: summary,
    description,
    inputSchema: createInputSchema(parameters),
    outputSchema: createOutputSchema(Object.values(results)),
    annotations: ANNOTATIONS,
  };
  return { name, operation, definition };
}

function createInputSchema(parameters: Parameters): object {
  const names = Object.keys(parameters);
  const required = names.filter((name) => parameters[name]!.isRequired);
  const properties = Object.entries(parameters).map(([name, parameter]) => {
    const { toolSchema, toolDescription: description } = parameter;
    return [name, {
      ...toolSchema,
      ...(description !== "" && { description }),
    }];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    // Some clients reject an empty `required`.
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * Creates one schema for the alternative results of a tool. `properties` contains the properties
 * of all alternatives, because clients that generate types, such as FastMCP, ignore `oneOf`
 * next to `type`. `oneOf` lists the property names of each alternative.
 */
function createOutputSchema(results: readonly Properties[]): object {
  const properties = results.flatMap(Object.entries).map(([name, schema]) => [
    name,
    JSON.parse(JSON.stringify(schema, RESULT_KEYWORDS)),
  ]);
  const alternatives = results.map((alternative) => {
    const required = Object.keys(alternative);
    if (results.length === 1) return { required };
    // Strict validators require the adjacent `properties` to define each required property.
    const names = required.map((name) => [name, {}]);
    return { properties: Object.fromEntries(names), required };
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(results.length === 1 ? alternatives[0] : { oneOf: alternatives }),
  };
}

/**
 * Runs the operation of a tool, and returns its result as JSON.
 *
 * @param args The call's `arguments`, which are not yet validated.
 * @throws {InputError} for invalid arguments.
 * @throws {RpcError} if an argument is unknown, or the result is larger than 1 MiB.
 */
export async function callTool(
  { operation }: Tool,
  args: unknown,
  yieldControl: YieldControl,
): Promise<string> {
  const checkedArgs = checkArguments(operation, args);
  const read: ReadValue = (name, parameter) =>
    parameter.fromJson(name, checkedArgs[name]);
  try {
    const result = await operation.run(read, {
      yieldControl,
      getMaxResultBytes: (input) =>
        Math.min(MAX_TOOL_RESULT_BYTES, getMaxResultBytes(input)),
    });
    const json = JSON.stringify(result);
    const byteLength = Buffer.byteLength(json);
    if (byteLength <= MAX_TOOL_RESULT_BYTES) return json;
    throw new ResultSizeError("input", byteLength, MAX_TOOL_RESULT_BYTES);
  } catch (error) {
    const isLimitOfTool = error instanceof ResultSizeError &&
      error.maxBytes === MAX_TOOL_RESULT_BYTES;
    if (!isLimitOfTool) throw error;
    const { method, name } = operation;
    throw new RpcError(
      INVALID_PARAMS,
      `the result must be at most ${MAX_TOOL_RESULT_BYTES} bytes, got ${error.byteLength}: for larger results, use ${method} /api/${name} over HTTP`,
    );
  }
}

function checkArguments(
  { tool, parameters }: Operation,
  args: unknown,
): JsonObject {
  if (!isObject(args)) {
    const got = formatValue(args);
    const problem = `"arguments" must be an object, got ${got}`;
    throw new RpcError(INVALID_PARAMS, problem);
  }
  const known = Object.keys(parameters);
  const unknown = describeUnknownNames(Object.keys(args), known, {
    noun: "argument",
    owner: tool.name,
    ignored: CLIENT_ARGUMENTS,
  });
  if (unknown !== undefined) throw new RpcError(INVALID_PARAMS, unknown);
  return args;
}
