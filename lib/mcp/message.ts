/** Parses client messages, and checks their properties and headers. */

import { isUtf8 } from "node:buffer";
import { readMembers } from "../json/read.ts";
import { isObject, type JsonObject } from "../json/object.ts";
import type { Bytes } from "../buffer.ts";
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

/** Maximum length of a message ID, in UTF-16 code units. Responses repeat the ID. */
const MAX_ID_LENGTH = 1_024;

/** The protocol version that has no handshake. Each request states its version in `_meta`. */
export const STATELESS_VERSION = "2026-07-28";

/** The versions that start with an `initialize` request, newest first. */
export const SESSION_VERSIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** A method that only the stateless version defines. */
export const DISCOVER = "server/discover";

/** Properties of `_meta` (MCP 2026-07-28). */
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The properties to read from a message, its `params`, and `params._meta`. */
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

/** Object levels to read: the message, its `params`, and their `arguments` and `_meta`. */
const DEPTH = 3;

/** Returns the names of all properties to read: `NAMES` and the tools' arguments. */
export function listNames(tools: readonly Tool[]): readonly string[] {
  const names = tools.flatMap(({ operation }) =>
    Object.keys(operation.parameters)
  );
  return [...new Set([...NAMES, ...CLIENT_ARGUMENTS, ...names])];
}

/**
 * Parses a message.
 *
 * @param names The result of `listNames()`. Properties with other names can be omitted.
 * @throws {RpcError} if the bytes aren't UTF-8, or the message isn't an object.
 * @throws {JsonTextError} if the message isn't JSON.
 */
export function parseMessage(
  bytes: Bytes,
  names: readonly string[],
): JsonObject {
  if (!isUtf8(bytes)) {
    throw new RpcError(PARSE_ERROR, "a message must be UTF-8");
  }
  const message = readMembers(bytes, { names, depth: DEPTH });
  if (isObject(message)) return message;
  throw new RpcError(
    INVALID_REQUEST,
    `a message must be one JSON object, got ${formatValue(message)}`,
  );
}

/** Whether a message is a notification, even if its properties are invalid. */
export function isNotification(message: JsonObject): boolean {
  return typeof message["method"] === "string" && !Object.hasOwn(message, "id");
}

export function isResponse(message: JsonObject): boolean {
  const has = (name: string) => Object.hasOwn(message, name);
  return !has("method") && (has("result") || has("error"));
}

/** Whether a value is a valid message ID: a short string or a safe integer. */
export function isId(value: unknown): boolean {
  return typeof value === "string"
    ? value.length <= MAX_ID_LENGTH
    : Number.isSafeInteger(value);
}

/** A request or notification that passed `checkMessage()`. */
export interface CheckedRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Whether the message uses protocol version 2026-07-28, which has no handshake. */
  readonly isStateless: boolean;
}

/**
 * Checks the properties and headers of a request or notification (JSON-RPC 2.0, section 4).
 *
 * @throws {RpcError} if a property or header is missing or invalid.
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

function checkVersion(requested: string, supported: readonly string[]): void {
  if (supported.includes(requested)) return;
  const problem = `unsupported protocol version: ${formatValue(requested)}`;
  const data = { supported, requested };
  throw new RpcError(UNSUPPORTED_VERSION, problem, { data });
}

/**
 * Replaces a missing property, `null`, or an empty array with an empty object. Some clients
 * written in Emacs Lisp or PHP send these values. Returns any other value unchanged.
 */
export function fillEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value ?? {};
}

/**
 * Checks a message of the stateless version. `_meta` must contain the version and the client's
 * capabilities. Over HTTP, headers must repeat the version, the method, and the name of the tool
 * being called.
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

function checkHeader(headers: Headers, name: string, expected: unknown): void {
  const value = headers.get(name) ?? undefined;
  if (value === expected) return;
  const problem = `the ${name} header must be ${formatValue(expected)}`;
  const got = formatValue(value);
  throw new RpcError(HEADER_MISMATCH, `${problem}, got ${got}`);
}
