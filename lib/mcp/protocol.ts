/**
 * The Model Context Protocol (MCP) for a server that has tools, but no prompts or
 * resources, in the revisions 2024-10-07 to 2026-07-28, without batches. No state is kept
 * between messages (JSON-RPC 2.0), so `answerMessage()` serves both HTTP and standard
 * input.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { formatValue } from "../values/format_value.ts";
import { toHttpError } from "../http/answer.ts";
import { JsonTextError } from "../json/error.ts";
import { readMembers } from "../json/read.ts";
import {
  type Fields,
  isObject,
  LoadError,
  type Pause,
} from "../operation/operation.ts";
import { InputError } from "../operation/input_error.ts";
import {
  ANSWER_FACTOR,
  callTool,
  CLIENT_ARGUMENTS,
  type Tool,
  ToolError,
} from "./tools.ts";

/**
 * Longest identifier of a message, in UTF-16 code units, inclusive. Every answer repeats the
 * identifier, and the memory of errors is not limited.
 */
const MAX_ID_LENGTH = 1_024;

/** The revision that has no handshake: each request names the revision in `_meta`. */
const STATELESS_REVISION = "2026-07-28";

/** The revisions with a handshake, the request `initialize`, newest first. */
const SESSION_REVISIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** The method that only the revision without a handshake has. */
const DISCOVER = "server/discover";

/** Names of members of `_meta`, defined by MCP 2026-07-28. */
const REVISION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** Capabilities of the server: tools, without `listChanged`: their list is constant. */
const OFFERED = { tools: {} };

/** Members of a result that permit any cache to keep the result for an hour. */
const CACHEABLE = { ttlMs: 3_600_000, cacheScope: "public" };

/** Error codes of JSON-RPC 2.0 (section 5.1); the last two are of MCP 2026-07-28. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_REVISION = -32_022;

export interface McpServer {
  readonly serverInfo: Readonly<
    Record<"name" | "title" | "description" | "version", string>
  >;
  /** General instructions for the model, which only some clients give to the model. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The result of `listNames()` for `tools`. */
  readonly names: readonly string[];
}

/** The properties in which a message over HTTP differs from one over standard input. */
export interface Delivery {
  /** Largest message, in bytes, inclusive. */
  readonly maxBytes: number;
  /** Lets other requests be answered between the parts of a long computation. */
  readonly pause: Pause;
  /** The headers of the HTTP request; `undefined` over standard input. */
  readonly headers?: Headers;
}

/** An answer to a message: its JSON text, and its status over HTTP. */
export interface MessageAnswer {
  readonly text: string;
  readonly status: number;
  /** Further headers of the HTTP response, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error for the client (JSON-RPC 2.0, section 5.1), and its status over HTTP. */
class RpcError {
  constructor(
    readonly code: number,
    readonly message: string,
    readonly status = 400,
    readonly data?: Fields,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/**
 * Answers one message, with a result or an error. Returns `undefined` for a notification
 * (JSON-RPC 2.0, section 4.1), and for a response or an error response: two programs that
 * answer each other's errors would never stop. Over HTTP, a notification that is not valid
 * is answered with an error, since MCP wants a status for it. Never rejects.
 *
 * @param bytes The message. One of more than `maxBytes` is answered with an error, unless
 * it would not be answered if it were valid.
 */
export async function answerMessage(
  bytes: Uint8Array,
  server: McpServer,
  { maxBytes, pause, headers }: Delivery,
): Promise<MessageAnswer | undefined> {
  const isTooLarge = bytes.length > maxBytes;
  let id: unknown = null;
  let isSilent = false;
  try {
    const message = parseMessage(bytes, server.names);
    await pause();
    if (isResponse(message)) return undefined;
    if (isId(message["id"])) id = message["id"];
    isSilent = isNotification(message) && headers === undefined;
    if (isTooLarge) throw createSizeError(maxBytes);

    const request = checkMessage(message, headers);
    if (isNotification(message)) return undefined;
    const result = await answerRequest(request, server, pause);
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
    return { text: `${start}${result}}`, status: 200 };
  } catch (error) {
    if (isSilent) return undefined;
    // For a message that is too large, always reports the size, also in place of another
    // error: the client must mend the size first.
    return createErrorAnswer(
      isTooLarge ? createSizeError(maxBytes) : error,
      id,
    );
  }
}

function createSizeError(maxBytes: number): RpcError {
  const message = `a message must have at most ${maxBytes} bytes`;
  return new RpcError(INVALID_REQUEST, message, 413);
}

/** Whether a message is a notification, however wrong its other members are. */
function isNotification(message: Fields): boolean {
  return typeof message["method"] === "string" && !Object.hasOwn(message, "id");
}

/** Whether a message is a response or an error response. */
function isResponse(message: Fields): boolean {
  const has = (name: string) => Object.hasOwn(message, name);
  return !has("method") && (has("result") || has("error"));
}

/**
 * Creates the JSON-RPC error response for an error. `id` is `null` if the identifier of the
 * message is not known, for example if the message could not be read.
 */
export function createErrorAnswer(
  error: unknown,
  id: unknown = null,
): MessageAnswer {
  const { code, message, status, data, headers } = toRpcError(error);
  const body = { jsonrpc: "2.0", id, error: { code, message, data } };
  return { text: JSON.stringify(body), status, headers };
}

/**
 * Converts any error to an `RpcError`. An unexpected error becomes `internal error`; its
 * details are only logged.
 */
function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof JsonTextError) {
    return new RpcError(
      PARSE_ERROR,
      `a message must be JSON: ${error.message}`,
    );
  }
  const { status, message, headers } = toHttpError(error);
  const code = status === 500
    ? INTERNAL_ERROR
    : status < 500
    ? INVALID_REQUEST
    : SERVER_ERROR;
  return new RpcError(code, message, status, undefined, headers);
}

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

function parseMessage(bytes: Uint8Array, names: readonly string[]): Fields {
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

/** A request or a notification that `checkMessage()` has checked. */
interface CheckedRequest {
  readonly method: string;
  readonly params: Fields;
  /** Whether the message is of the revision 2026-07-28, which has no handshake. */
  readonly isStateless: boolean;
}

/**
 * Checks the members of a request or a notification (JSON-RPC 2.0, section 4), and by
 * `checkStateless()` those that a revision without a handshake adds.
 *
 * @throws {RpcError} for a member or header that is missing or invalid.
 */
function checkMessage(message: Fields, headers?: Headers): CheckedRequest {
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
  const isOtherRevision = revision !== undefined &&
    !SESSION_REVISIONS.includes(revision);
  const isStateless = Object.hasOwn(meta, REVISION) || isOtherRevision ||
    method === DISCOVER;
  const request = { method, params, isStateless };
  if (isStateless) checkStateless(request, meta, headers);
  return request;
}

/**
 * Returns an empty object in place of a member that is absent, `null` or an empty array:
 * clients in Emacs Lisp and PHP write an empty object so. Returns any other value unchanged.
 */
function fillEmpty(value: unknown): unknown {
  return isEmptyArray(value) ? {} : value ?? {};
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
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
  { [REVISION]: requested, [CAPABILITIES]: capabilities }: Fields,
  headers: Headers | undefined,
): void {
  if (typeof requested !== "string") {
    throw createParameterError(`_meta.${REVISION}`, "a string", requested);
  }
  if (headers !== undefined) {
    checkHeader(headers, "MCP-Protocol-Version", requested);
    checkHeader(headers, "Mcp-Method", method);
    if (method === "tools/call") {
      checkHeader(headers, "Mcp-Name", params["name"]);
    }
  }
  if (requested !== STATELESS_REVISION) {
    throw new RpcError(
      UNSUPPORTED_REVISION,
      `unsupported protocol version: ${formatValue(requested)}`,
      400,
      { supported: [STATELESS_REVISION], requested },
    );
  }
  if (!isObject(capabilities) && !isEmptyArray(capabilities)) {
    throw createParameterError(
      `_meta.${CAPABILITIES}`,
      "an object",
      capabilities,
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

/**
 * Returns the result of a request as JSON text.
 *
 * @throws {RpcError} for an unknown method or tool, a `protocolVersion` that is not a
 * string, or a `cursor`.
 * @throws {LoadError} from `pause`.
 */
async function answerRequest(
  { method, params, isStateless }: CheckedRequest,
  { serverInfo, instructions, tools }: McpServer,
  pause: Pause,
): Promise<string> {
  // The members that MCP 2026-07-28 adds to every result.
  const common = isStateless
    ? { resultType: "complete", _meta: { [SERVER_INFO]: serverInfo } }
    : {};
  if (method === "tools/call") {
    return await call(params, { tools, pause, common });
  }
  if (method === "tools/list") {
    const { cursor } = params;
    if (cursor !== undefined && cursor !== null) {
      const expected = "absent, since the list has one page";
      throw createParameterError("cursor", expected, cursor);
    }
    const list = { tools: tools.map(({ definition }) => definition) };
    const caching = isStateless ? CACHEABLE : {};
    return JSON.stringify({ ...list, ...caching, ...common });
  }
  if (method === DISCOVER) {
    const supportedVersions = [STATELESS_REVISION];
    const result = { supportedVersions, capabilities: OFFERED, instructions };
    return JSON.stringify({ ...result, ...CACHEABLE, ...common });
  }
  if (!isStateless && method === "initialize") {
    const { protocolVersion: wanted } = params;
    if (typeof wanted !== "string") {
      throw createParameterError("protocolVersion", "a string", wanted);
    }
    const isKnown = SESSION_REVISIONS.includes(wanted);
    const protocolVersion = isKnown ? wanted : SESSION_REVISIONS[0];
    const result = { protocolVersion, capabilities: OFFERED };
    return JSON.stringify({ ...result, serverInfo, instructions });
  }
  if (!isStateless && method === "ping") return "{}";
  throw new RpcError(
    METHOD_NOT_FOUND,
    `unknown method: ${formatValue(method)}`,
    isStateless ? 404 : 200,
  );
}

/**
 * Calls a tool, and returns the result of the request as JSON text. If the call fails, the
 * result has `isError` and a message for the model.
 *
 * @throws {RpcError} for an unknown tool.
 * @throws {LoadError} from `pause`.
 */
async function call(
  { name, arguments: args }: Fields,
  { tools, pause, common }: {
    tools: readonly Tool[];
    pause: Pause;
    common: Fields;
  },
): Promise<string> {
  const tool = tools.find((tool) => tool.name === name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ");
    const text = `unknown tool: ${formatValue(name)}, the tools are ${names}`;
    throw new RpcError(INVALID_PARAMS, text, 200);
  }
  try {
    const { text, byteLength } = await callTool(tool, fillEmpty(args), pause);
    await pause(ANSWER_FACTOR * byteLength);
    const content = [{ type: "text", text }];
    // The text is JSON already, so it is inserted as a value without `JSON.stringify()`.
    const others = JSON.stringify({ content, ...common }).slice(1);
    return `{"structuredContent":${text},${others}`;
  } catch (error) {
    // The service is too busy, or the client has disconnected: a JSON-RPC error, since the
    // model cannot avoid this failure by other arguments.
    if (error instanceof LoadError) throw error;
    const content = [{ type: "text", text: describeFailure(error) }];
    return JSON.stringify({ content, isError: true, ...common });
  }
}

/**
 * Returns the message for the model on a failed call. An unexpected error is logged, and
 * its message is `internal error`.
 */
function describeFailure(error: unknown): string {
  const isForModel = error instanceof InputError || error instanceof ToolError;
  return isForModel ? error.message : toRpcError(error).message;
}

/** Creates the error -32600 (invalid request) for a member with an invalid value. */
function createMemberError(
  name: string,
  expected: string,
  value: unknown,
): RpcError {
  return new RpcError(INVALID_REQUEST, describe(name, expected, value));
}

/** Creates the error -32602 (invalid params) for an invalid value in `params`. */
function createParameterError(
  name: string,
  expected: string,
  value: unknown,
): RpcError {
  return new RpcError(INVALID_PARAMS, describe(name, expected, value));
}

function describe(name: string, expected: string, value: unknown): string {
  return `"${name}" must be ${expected}, got ${formatValue(value)}`;
}

/** Whether a value may identify a message: a short string, or a safe integer. */
function isId(value: unknown): boolean {
  return typeof value === "string"
    ? value.length <= MAX_ID_LENGTH
    : Number.isSafeInteger(value);
}
