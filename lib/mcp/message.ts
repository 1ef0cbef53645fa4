/**
 * Reads the messages of a client: parses them, and checks their members and headers.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { readMembers } from "../json/read.ts";
import { isObject, type JsonObject } from "../json/object.ts";
import { formatValue } from "../format_value.ts";
import {
  createMemberError,
  HEADER_MISMATCH,
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
  RpcError,
  UNSUPPORTED_REVISION,
} from "./rpc_error.ts";
import { CLIENT_ARGUMENTS, type Tool } from "./tools.ts";

/**
 * Longest identifier of a message, in UTF-16 code units, inclusive. Every answer repeats the
 * identifier, and the memory of errors is not limited.
 */
const MAX_ID_LENGTH = 1_024;

/** The revision that has no handshake: each request names the revision in `_meta`. */
export const STATELESS_REVISION = "2026-07-28";

/** The revisions with a handshake, the request `initialize`, newest first. */
export const SESSION_REVISIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** The method that only the revision without a handshake has. */
export const DISCOVER = "server/discover";

/** Names of members of `_meta`, defined by MCP 2026-07-28. */
const REVISION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Names of the members that are read: of a message, its `params`, and `params._meta`. */
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
  REVISION,
  CAPABILITIES,
];

/**
 * Levels of nested objects that are read: the message, its `params`, and the `arguments`
 * and `_meta` in `params`.
 */
const DEPTH = 3;

/** Returns the names of all members that are read: `NAMES` and the arguments of calls. */
export function listNames(tools: readonly Tool[]): readonly string[] {
  const names = tools.flatMap(({ operation }) =>
    Object.keys(operation.parameters)
  );
  return [...new Set([...NAMES, ...CLIENT_ARGUMENTS, ...names])];
}

/**
 * Parses a message.
 *
 * @param names The result of `listNames()`. Members with other names may be left out.
 * @throws {RpcError} if the bytes are not UTF-8, or the message is no JSON object.
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

/** Whether a message is a notification, however wrong its other members are. */
export function isNotification(message: JsonObject): boolean {
  return typeof message["method"] === "string" && !Object.hasOwn(message, "id");
}

/** Whether a message is a response or an error response. */
export function isResponse(message: JsonObject): boolean {
  const has = (name: string) => Object.hasOwn(message, name);
  return !has("method") && (has("result") || has("error"));
}

/** Whether a value may identify a message: a short string, or a safe integer. */
export function isId(value: unknown): boolean {
  return typeof value === "string"
    ? value.length <= MAX_ID_LENGTH
    : Number.isSafeInteger(value);
}

/** A request or a notification that `checkMessage()` has checked. */
export interface CheckedRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Whether the message is of the revision 2026-07-28, which has no handshake. */
  readonly isStateless: boolean;
}

/**
 * Checks the members of a request or a notification (JSON-RPC 2.0, section 4), and by
 * `checkStateless()` those that a revision without a handshake adds.
 *
 * @throws {RpcError} for a member or header that is missing or invalid.
 */
export function checkMessage(
  message: JsonObject,
  headers?: Headers,
): CheckedRequest {
  const { jsonrpc, id, method } = message;
  if (Object.hasOwn(message, "id") && !isId(id)) {
    throw createMemberError(
      "id",
      `a string of at most ${MAX_ID_LENGTH} characters, or a safe integer`,
      id,
    );
  }
  if (jsonrpc !== "2.0") throw createMemberError("jsonrpc", '"2.0"', jsonrpc);
  if (typeof method !== "string") {
    throw createMemberError("method", "a string", method);
  }
  const params = fillEmpty(message["params"]);
  if (!isObject(params)) throw createMemberError("params", "an object", params);
  const meta = fillEmpty(params["_meta"]);
  if (!isObject(meta)) throw createMemberError("_meta", "an object", meta);

  const revision = headers?.get("mcp-protocol-version") ?? undefined;
  const isStateless = Object.hasOwn(meta, REVISION) ||
    revision === STATELESS_REVISION || method === DISCOVER;
  const request = { method, params, isStateless };
  if (isStateless) checkStateless(request, meta, headers);
  else if (revision !== undefined) {
    checkRevision(revision, [STATELESS_REVISION, ...SESSION_REVISIONS]);
  }
  return request;
}

/** @throws {RpcError} for a revision that is not among the supported ones. */
function checkRevision(requested: string, supported: readonly string[]): void {
  if (supported.includes(requested)) return;
  throw new RpcError(
    UNSUPPORTED_REVISION,
    `unsupported protocol version: ${formatValue(requested)}`,
    { data: { supported, requested } },
  );
}

/**
 * Returns an empty object in place of a member that is absent, `null` or an empty array:
 * clients in Emacs Lisp and PHP write an empty object so. Returns any other value unchanged.
 */
export function fillEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value ?? {};
}

/**
 * Checks a message of a revision without a handshake: `_meta` must have the revision
 * 2026-07-28 and the capabilities of the client. Over HTTP, the headers must have the same
 * revision, the method and, for `tools/call`, the name of the tool.
 *
 * @throws {RpcError} if one of these is missing or wrong.
 */
function checkStateless(
  { method, params }: CheckedRequest,
  { [REVISION]: requested, [CAPABILITIES]: capabilities }: JsonObject,
  headers: Headers | undefined,
): void {
  if (typeof requested !== "string") {
    throw createMemberError(
      `_meta.${REVISION}`,
      "a string",
      requested,
      INVALID_PARAMS,
    );
  }
  if (headers !== undefined) {
    checkHeader(headers, "MCP-Protocol-Version", requested);
    checkHeader(headers, "Mcp-Method", method);
    if (method === "tools/call") {
      checkHeader(headers, "Mcp-Name", params["name"]);
    }
  }
  checkRevision(requested, [STATELESS_REVISION]);
  if (capabilities === undefined || !isObject(fillEmpty(capabilities))) {
    throw createMemberError(
      `_meta.${CAPABILITIES}`,
      "an object",
      capabilities,
      INVALID_PARAMS,
    );
  }
}

/** @throws {RpcError} if a header does not have the value that the message has. */
function checkHeader(headers: Headers, name: string, expected: unknown): void {
  const value = headers.get(name) ?? undefined;
  if (value === expected) return;
  throw new RpcError(
    HEADER_MISMATCH,
    `the header ${name} must be ${formatValue(expected)}, got ${
      formatValue(value)
    }`,
  );
}
