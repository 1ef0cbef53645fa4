/**
 * Checks the form of messages (JSON-RPC 2.0, section 4), and rewrites error messages of the
 * official MCP package in plain words.
 *
 * @module
 */

import type { Fields } from "../http/fields.ts";
import { formatValue } from "../format_value.ts";
import { INVALID_PARAMS, type JsonRpcError } from "./errors.ts";

/** Names of the members that a request or a notification may have. */
const MEMBERS = ["jsonrpc", "id", "method", "params"];

/**
 * The names of types in errors of the MCP package, each with the words for it in errors for
 * clients.
 */
const TYPES: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  int: "an integer",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

/** Whether a message is a response or an error response. Such a message is never answered. */
export function isResponse(message: Fields): boolean {
  return !("method" in message) && ("result" in message || "error" in message);
}

/**
 * Whether a value is valid as the identifier of a message: a string, or an integer from
 * −(2⁵³ − 1) to 2⁵³ − 1.
 */
export function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/**
 * Returns the error message for an object that is no valid request or notification;
 * `undefined` for a valid one.
 */
export function findFormError(message: Fields): string | undefined {
  const { jsonrpc, id, method, params } = message;
  if ("id" in message && !isId(id)) {
    return `"id" must be a string or a safe integer, got ${formatValue(id)}`;
  }
  if (jsonrpc !== "2.0") {
    return `"jsonrpc" must be "2.0", got ${formatValue(jsonrpc)}`;
  }
  if (typeof method !== "string") return mustBe("method", "string", method);
  const unknown = Object.keys(message).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    return `a message must have no member ${formatValue(unknown)}`;
  }
  if (params === undefined) return undefined;
  if (!isObject(params)) return mustBe("params", "object", params);
  const { _meta: meta } = params;
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return mustBe("_meta", "object", meta);
  const { progressToken } = meta;
  if (progressToken === undefined || isId(progressToken)) return undefined;
  return `"progressToken" must be a string or a safe integer, got ${
    formatValue(progressToken)
  }`;
}

/**
 * A fault that the MCP package has found in a message: the path of the faulty member, and
 * the type expected.
 */
interface Issue {
  readonly path: readonly (string | number)[];
  readonly expected?: string;
}

/**
 * Rewrites an error of the MCP package for the client. If the package found the message
 * invalid, the new error names the first invalid member and the value received. Any other
 * error is returned as it is.
 */
export function wordError(error: JsonRpcError, envelope: Fields): JsonRpcError {
  const issue = readIssue(error) ?? findMetaIssue(error, envelope);
  if (issue === undefined) return error;
  const { path, expected = "" } = issue;
  let value: unknown = envelope;
  for (const name of path) value = (value as Fields | undefined)?.[name];
  const name = path.slice(1).join(".") || "params";
  return { code: INVALID_PARAMS, message: mustBe(name, expected, value) };
}

/**
 * Returns the first of the faults that an error message of the MCP package lists;
 * `undefined` if the message lists none.
 */
function readIssue({ message }: JsonRpcError): Issue | undefined {
  // A message that lists faults has the form `Invalid tools/call request: [{"path": …}]`,
  // or is only the list, as JSON.
  const list = /^(?:Invalid \S+ request: )?(\[\n {2}\{\n[^]*\n\])$/
    .exec(message)?.[1];
  return list === undefined ? undefined : JSON.parse(list)[0];
}

/**
 * Finds the faulty member of `params._meta`, if the error is about `_meta`: such an error
 * of the MCP package does not name the member. Returns `undefined` for any other error.
 */
function findMetaIssue(
  { message }: JsonRpcError,
  { params }: Fields,
): Issue | undefined {
  if (!/^Invalid _meta envelope .*: Invalid/.test(message)) return undefined;
  const meta = (params as Fields)["_meta"] as Fields;
  const isString = (value: unknown) => typeof value === "string";
  const isOptionalObject = (value: unknown) =>
    value === undefined || isObject(value);
  for (
    const [name, expected, isValid] of [
      ["io.modelcontextprotocol/protocolVersion", "string", isString],
      ["io.modelcontextprotocol/clientCapabilities", "object", isObject],
      ["io.modelcontextprotocol/clientInfo", "object", isOptionalObject],
    ] as const
  ) {
    if (!isValid(meta[name])) {
      return { path: ["params", "_meta", name], expected };
    }
  }
  return { path: ["params", "_meta"] };
}

function mustBe(name: string, type: string, value: unknown): string {
  return `"${name}" must be ${TYPES[type] ?? "valid"}, got ${
    formatValue(value)
  }`;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
