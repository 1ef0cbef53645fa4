/** Parses the messages of a client, and checks their properties and headers. */

import { isUtf8 } from "node:buffer";
import { readMembers } from "../json/read.ts";
import { isObject, type JsonObject } from "../json/object.ts";
import { formatValue } from "../format_value.ts";
import {
  createParamError,
  createPropertyError,
  HEADER_MISMATCH,
  INVALID_REQUEST,
  PARSE_ERROR,
  RpcError,
  UNSUPPORTED_VERSION,
} from "./rpc_error.ts";
import { CLIENT_ARGUMENTS, type Tool } from "./tools.ts";

/** Longest identifier of a message, in UTF-16 code units, inclusive. Responses repeat it. */
const MAX_ID_LENGTH = 1_024;

/** The protocol version without a handshake: each request has it in `_meta`. */
export const STATELESS_VERSION = "2026-07-28";

/** The versions with a handshake, the request `initialize`, newest first. */
export const SESSION_VERSIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** The method that only the version without a handshake has. */
export const DISCOVER = "server/discover";

/** Names of properties of `_meta`, defined by MCP 2026-07-28. */
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Properties that are read: of a message, of its `params`, and of `params._meta`. */
const NAMES = [
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
  "name",
  "arguments",
  "cursor",
  "_meta",
  "protocolVersion",
  VERSION,
  CAPABILITIES,
];

/**
 * Levels of nested objects that are read: the message, its `params`, and the `arguments`
 * and `_meta` in `params`.
 */
const DEPTH = 3;

/** Returns the names of all properties that are read: `NAMES` and the arguments of calls. */
export function listNames(tools: readonly Tool[]): readonly string[] {
  const names = tools.flatMap(({ operation }) =>
    Object.keys(operation.parameters)
  );
  return [...new Set([...NAMES, ...CLIENT_ARGUMENTS, ...names])];
}

/**
 * Parses a message.
 *
 * @param names The result of `listNames()`. Properties with other names can be left out.
 * @throws {RpcError} if the bytes are not UTF-8, or the message is not a JSON object.
 * @throws {JsonTextError} if the message is not JSON.
 */
export function parseMessage(
  bytes: Uint8Array,
  names: readonly string[],
): JsonObject {
  if (!isUtf8(bytes)) {
    throw new RpcError(PARSE_ERROR, "a message must be UTF-8");
  }
  const message = readMembers(bytes, names, DEPTH);
  if (isObject(message)) return message;
  throw new RpcError(
    INVALID_REQUEST,
    `a message must be one JSON object, got ${formatValue(message)}`,
  );
}

/** Whether a message is a notification, even if its other properties are invalid. */
export function isNotification(message: JsonObject): boolean {
  return typeof message["method"] === "string" && !Object.hasOwn(message, "id");
}

/** Whether a message is a response or an error response. */
export function isResponse(message: JsonObject): boolean {
  const has = (name: string) => Object.hasOwn(message, name);
  return !has("method") && (has("result") || has("error"));
}

/** Whether a value can identify a message: a short string, or a safe integer. */
export function isId(value: unknown): boolean {
  return typeof value === "string"
    ? value.length <= MAX_ID_LENGTH
    : Number.isSafeInteger(value);
}

/** A request or a notification that `checkMessage()` has checked. */
export interface CheckedRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Whether the message is from the version 2026-07-28, which has no handshake. */
  readonly isStateless: boolean;
}

/**
 * Checks the properties of a request or a notification (JSON-RPC 2.0, section 4), and by
 * `checkStateless()` those that a version without a handshake adds.
 *
 * @throws {RpcError} for a property or header that is missing or invalid.
 */
export function checkMessage(
  message: JsonObject,
  headers?: Headers,
): CheckedRequest {
  const { jsonrpc, id, method } = message;
  if (Object.hasOwn(message, "id") && !isId(id)) {
    const expected =
      `a string of at most ${MAX_ID_LENGTH} characters, or a safe integer`;
    throw createPropertyError("id", expected, id);
  }
  if (jsonrpc !== "2.0") throw createPropertyError("jsonrpc", '"2.0"', jsonrpc);
  if (typeof method !== "string") {
    throw createPropertyError("method", "a string", method);
  }
  const params = readObject(message, "params");
  const meta = readObject(params, "_meta");
  const version = headers?.get("mcp-protocol-version") ?? undefined;
  const isStateless = Object.hasOwn(meta, VERSION) ||
    version === STATELESS_VERSION || method === DISCOVER;
  const request = { method, params, isStateless };
  if (isStateless) checkStateless(request, meta, headers);
  else if (version !== undefined) {
    checkVersion(version, [STATELESS_VERSION, ...SESSION_VERSIONS]);
  }
  return request;
}

function readObject(object: JsonObject, name: string): JsonObject {
  const value = fillEmpty(object[name]);
  if (isObject(value)) return value;
  throw createPropertyError(name, "an object", value);
}

/** @throws {RpcError} for a protocol version that is not among the supported ones. */
function checkVersion(requested: string, supported: readonly string[]): void {
  if (supported.includes(requested)) return;
  const problem = `unsupported protocol version: ${formatValue(requested)}`;
  const data = { supported, requested };
  throw new RpcError(UNSUPPORTED_VERSION, problem, { data });
}

/**
 * Returns an empty object instead of a property that is absent, `null`, or an empty array,
 * which some clients in Emacs Lisp and PHP send. Returns any other value unchanged.
 */
export function fillEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value ?? {};
}

/**
 * Checks a message of a version without a handshake: `_meta` must have the version 2026-07-28
 * and the capabilities of the client. Over HTTP, the headers must have the same version, the
 * method and, for `tools/call`, the name of the tool.
 *
 * @throws {RpcError} if one of these is missing or invalid.
 */
function checkStateless(
  { method, params }: CheckedRequest,
  { [VERSION]: requested, [CAPABILITIES]: capabilities }: JsonObject,
  headers: Headers | undefined,
): void {
  if (typeof requested !== "string") {
    throw createParamError(`_meta.${VERSION}`, "a string", requested);
  }
  if (headers !== undefined) {
    checkHeader(headers, "MCP-Protocol-Version", requested);
    checkHeader(headers, "Mcp-Method", method);
    if (method === "tools/call") {
      checkHeader(headers, "Mcp-Name", params["name"]);
    }
  }
  checkVersion(requested, [STATELESS_VERSION]);
  if (capabilities === undefined || !isObject(fillEmpty(capabilities))) {
    throw createParamError(`_meta.${CAPABILITIES}`, "an object", capabilities);
  }
}

/** @throws {RpcError} if a header does not have the value that the message has. */
function checkHeader(headers: Headers, name: string, expected: unknown): void {
  const value = headers.get(name) ?? undefined;
  if (value === expected) return;
  const problem = `the header ${name} must be ${formatValue(expected)}`;
  const got = formatValue(value);
  throw new RpcError(HEADER_MISMATCH, `${problem}, got ${got}`);
}
