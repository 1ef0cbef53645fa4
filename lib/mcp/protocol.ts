/**
 * The Model Context Protocol (MCP) for a server that has tools and nothing else, in the
 * revisions 2024-10-07 to 2026-07-28. It keeps no state: each message (JSON-RPC 2.0) is
 * answered by itself, so the same function serves HTTP and standard input.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { formatValue } from "../values/format_value.ts";
import { HttpError } from "../http/http_error.ts";
import { JsonTextError } from "../json/error.ts";
import { readMembers } from "../json/read.ts";
import { logError } from "../system/log.ts";
import { type Fields, isObject, type Pause } from "../operation/operation.ts";
import { InputError } from "../operation/input_error.ts";
import { ANSWER_FACTOR, callTool, type Tool, ToolError } from "./tools.ts";

/** The revision whose messages state their revision in `_meta`, without a handshake. */
const STATELESS_REVISION = "2026-07-28";

/** The revisions that begin with the request `initialize`, newest first. */
const SESSION_REVISIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** Members of `_meta` that the stateless revision defines. */
const REVISION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** Capabilities of the server: tools, whose list never changes. */
const OFFERED = { tools: {} };

/** Members of a result that any cache may keep for an hour. */
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

/** A server with its tools. */
export interface McpServer {
  readonly serverInfo: Readonly<
    Record<"name" | "title" | "description" | "version", string>
  >;
  /** General instructions for the model, which only some clients pass on to it. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The result of `listNames()` for these tools. */
  readonly names: readonly string[];
}

/** What is known of a message besides its bytes. */
export interface Delivery {
  /** Largest message, in bytes, inclusive. */
  readonly maxBytes: number;
  /** Lets other requests be answered between the parts of a long computation. */
  readonly pause: Pause;
  /** The headers of the HTTP request; `undefined` over standard input. */
  readonly headers?: Headers;
}

/** An answer to a message: a JSON text, and the status with which HTTP sends it. */
export interface Reply {
  readonly text: string;
  readonly status: number;
  /** Headers that HTTP adds, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is sent to the client (JSON-RPC 2.0, section 5.1). */
class RpcError {
  constructor(
    readonly code: number,
    readonly message: string,
    readonly status = 400,
    readonly data?: Fields,
  ) {}
}

/**
 * Answers one message. Returns `undefined` for a notification, and for a response or an
 * error response: two programs that answer each other's errors would never stop. Never
 * rejects.
 *
 * @param bytes The message. Above `maxBytes` of the delivery, the answer is an error.
 */
export async function answerMessage(
  bytes: Uint8Array,
  server: McpServer,
  { maxBytes, pause, headers }: Delivery,
): Promise<Reply | undefined> {
  const isTooLarge = bytes.length > maxBytes;
  let id: unknown = null;
  try {
    const message = parseMessage(bytes, server.names);
    await pause();
    if (isResponse(message)) return undefined;
    if (isId(message["id"])) id = message["id"];
    if (isTooLarge) throw createSizeError(maxBytes);

    const request = checkMessage(message, headers);
    if (!Object.hasOwn(message, "id")) return undefined;
    const result = await answerRequest(request, server, pause);
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
    return { text: `${start}${result}}`, status: 200 };
  } catch (error) {
    // Whatever is wrong with a message that is too large, the client has to mend its size first.
    return createErrorReply(isTooLarge ? createSizeError(maxBytes) : error, id);
  }
}

function createSizeError(maxBytes: number): HttpError {
  return new HttpError(413, `a message must have at most ${maxBytes} bytes`);
}

/** Whether a message is a response or an error response. */
function isResponse(message: Fields): boolean {
  const has = (name: string) => Object.hasOwn(message, name);
  return !has("method") && (has("result") || has("error"));
}

/** Creates the answer to a message that has failed. */
export function createErrorReply(error: unknown, id: unknown = null): Reply {
  const { code, message, status, data } = toRpcError(error);
  const body = { jsonrpc: "2.0", id, error: { code, message, data } };
  const headers = error instanceof HttpError ? error.exposedHeaders : {};
  return { text: JSON.stringify(body), status, headers };
}

/** Makes the error for the client. The details of an unexpected error are only logged. */
function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof HttpError) {
    const code = error.status < 500 ? INVALID_REQUEST : SERVER_ERROR;
    return new RpcError(code, error.message, error.status);
  }
  if (error instanceof JsonTextError) {
    return new RpcError(
      PARSE_ERROR,
      `a message must be JSON: ${error.message}`,
    );
  }
  logError("unexpected error", error);
  return new RpcError(INTERNAL_ERROR, "internal error", 500);
}

/** The members that are read from a message, from its parameters, and from their `_meta`. */
const NAMES = [
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
  "name",
  "arguments",
  "_meta",
  "protocolVersion",
  REVISION,
  CAPABILITIES,
];

/** Levels of objects that are read: the message, its parameters, and the arguments in these. */
const DEPTH = 3;

/** Lists the names of members that are read from messages, also those of arguments. */
export function listNames(tools: readonly Tool[]): readonly string[] {
  const names = tools.flatMap(({ operation }) =>
    Object.keys(operation.parameters)
  );
  return [...new Set([...NAMES, ...names])];
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

/** A request or a notification, whose form is checked. */
interface CheckedRequest {
  readonly method: string;
  readonly params: Fields;
  /** Whether the message states its revision, as the stateless revision demands. */
  readonly isStateless: boolean;
}

/** Checks the form of a request or a notification (JSON-RPC 2.0, section 4). */
function checkMessage(message: Fields, headers?: Headers): CheckedRequest {
  const { jsonrpc, id, method, params = {} } = message;
  if (Object.hasOwn(message, "id") && !isId(id)) {
    throw createMemberError("id", "a string or a safe integer", id);
  }
  if (jsonrpc !== "2.0") throw createMemberError("jsonrpc", '"2.0"', jsonrpc);
  if (typeof method !== "string") {
    throw createMemberError("method", "a string", method);
  }
  if (!isObject(params)) throw createMemberError("params", "an object", params);
  const { _meta: meta = {} } = params;
  if (!isObject(meta)) throw createMemberError("_meta", "an object", meta);

  const revision = headers?.get("mcp-protocol-version") ?? undefined;
  const isOtherRevision = revision !== undefined &&
    !SESSION_REVISIONS.includes(revision);
  const isStateless = Object.hasOwn(meta, REVISION) || isOtherRevision;
  const request = { method, params, isStateless };
  if (isStateless) checkStateless(request, meta, headers);
  return request;
}

/** Checks `_meta` and the headers, in which each stateless message states its revision. */
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
  if (!isObject(capabilities)) {
    throw createParameterError(
      `_meta.${CAPABILITIES}`,
      "an object",
      capabilities,
    );
  }
}

/** Checks that a header agrees with the message. */
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

/** Answers a request. Returns the JSON text of its result. */
async function answerRequest(
  { method, params, isStateless }: CheckedRequest,
  { serverInfo, instructions, tools }: McpServer,
  pause: Pause,
): Promise<string> {
  // Members that every result of the stateless revision has.
  const common = isStateless
    ? { resultType: "complete", _meta: { [SERVER_INFO]: serverInfo } }
    : {};
  if (method === "tools/call") {
    return await call(params, { tools, pause, common });
  }
  if (method === "tools/list") {
    const list = { tools: tools.map(({ definition }) => definition) };
    const caching = isStateless ? CACHEABLE : {};
    return JSON.stringify({ ...list, ...caching, ...common });
  }
  if (isStateless && method === "server/discover") {
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

/** Calls a tool. Returns its result as JSON text; that of a failed call has the reason. */
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
    const { text, byteLength } = await callTool(tool, args, pause);
    await pause(ANSWER_FACTOR * byteLength);
    const content = [{ type: "text", text }];
    // The text is JSON, so it becomes a member of the result as it is.
    const others = JSON.stringify({ content, ...common }).slice(1);
    return `{"structuredContent":${text},${others}`;
  } catch (error) {
    // A busy service or a client that has disconnected: a model cannot do anything about these.
    if (error instanceof HttpError) throw error;
    const content = [{ type: "text", text: describeFailure(error) }];
    return JSON.stringify({ content, isError: true, ...common });
  }
}

/** Returns the message of a failed call for the model. */
function describeFailure(error: unknown): string {
  const isForModel = error instanceof InputError || error instanceof ToolError;
  return isForModel ? error.message : toRpcError(error).message;
}

/** Creates the error for a member of a message whose value is invalid. */
function createMemberError(
  name: string,
  expected: string,
  value: unknown,
): RpcError {
  return new RpcError(INVALID_REQUEST, describe(name, expected, value));
}

/** Creates the error for a member of `params` whose value is invalid. */
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

/** Whether a value may identify a message: a string, or a safe integer. */
function isId(value: unknown): boolean {
  return typeof value === "string" || Number.isSafeInteger(value);
}
