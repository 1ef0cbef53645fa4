/**
 * The Model Context Protocol (MCP) for a server that has tools and nothing else, in the
 * revisions 2024-10-07 to 2026-07-28. It keeps no state: each message (JSON-RPC 2.0) is
 * answered by itself, so the same function serves HTTP and standard input.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { formatValue } from "../format_value.ts";
import { HttpError } from "../http/http_error.ts";
import { JsonTextError } from "../json/error.ts";
import { readMembers } from "../json/read.ts";
import { logError } from "../log.ts";
import { type Fields, isObject, type Pause } from "../operation/operation.ts";
import { ANSWER_FACTOR, callTool, type Tool } from "./tools.ts";

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
export interface Server {
  readonly serverInfo: Readonly<
    Record<"name" | "title" | "description" | "version", string>
  >;
  /** General instructions for the model, which only some clients pass on to it. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The result of `listNames()` for these tools. */
  readonly names: readonly string[];
}

/** How a message has come. */
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
}

/** An error that is answered to a message. */
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
  server: Server,
  { maxBytes, pause, headers }: Delivery,
): Promise<Reply | undefined> {
  const isTooLarge = bytes.length > maxBytes;
  let id: unknown = null;
  try {
    const message = parseMessage(bytes, server.names);
    await pause();
    const has = (name: string) => Object.hasOwn(message, name);
    if (!has("method") && (has("result") || has("error"))) return undefined;
    if (isId(message["id"])) id = message["id"];
    if (!isTooLarge) {
      const request = checkMessage(message, headers);
      if (!has("id")) return undefined;
      const result = await answerRequest(request, server, pause);
      const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
      return { text: `${start}${result}}`, status: 200 };
    }
  } catch (error) {
    if (!isTooLarge) return createErrorReply(error, id);
  }
  const text = `a message must have at most ${maxBytes} bytes`;
  return createErrorReply(new HttpError(413, text), id);
}

/** Creates the answer to a message that has failed. */
export function createErrorReply(error: unknown, id: unknown = null): Reply {
  const { code, message, status, data } = toRpcError(error);
  const body = { jsonrpc: "2.0", id, error: { code, message, data } };
  return { text: JSON.stringify(body), status };
}

/** The details of an unexpected error are only logged. */
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
  ..."jsonrpc id method params result error".split(" "),
  ..."name arguments _meta protocolVersion".split(" "),
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
  const got = formatValue(message);
  const reason = `a message must be one JSON object, got ${got}`;
  throw new RpcError(INVALID_REQUEST, reason);
}

/** Checks the form of a request or a notification (JSON-RPC 2.0, section 4). */
function checkMessage(message: Fields, headers?: Headers) {
  const { jsonrpc, id, method, params = {} } = message;
  if (Object.hasOwn(message, "id") && !isId(id)) {
    throw mustBe({ id }, "a string or a safe integer");
  }
  if (jsonrpc !== "2.0") throw mustBe({ jsonrpc }, '"2.0"');
  if (typeof method !== "string") throw mustBe({ method }, "a string");
  if (!isObject(params)) throw mustBe({ params }, "an object");
  const { _meta = {} } = params;
  if (!isObject(_meta)) throw mustBe({ _meta }, "an object");
  const header = headers?.get("mcp-protocol-version") ?? undefined;
  const isStateless = Object.hasOwn(_meta, REVISION) ||
    header !== undefined && !SESSION_REVISIONS.includes(header);
  const request = { method, params, isStateless };
  if (isStateless) checkStateless(request, _meta, headers);
  return request;
}

/** Checks `_meta` and the headers, in which each stateless message states its revision. */
function checkStateless(
  { method, params }: { method: string; params: Fields },
  { [REVISION]: requested, [CAPABILITIES]: capabilities }: Fields,
  headers: Headers | undefined,
): void {
  if (typeof requested !== "string") {
    const member = { [`_meta.${REVISION}`]: requested };
    throw mustBe(member, "a string", INVALID_PARAMS);
  }
  const expected = {
    "MCP-Protocol-Version": requested,
    "Mcp-Method": method,
    ...(method === "tools/call" && { "Mcp-Name": params["name"] }),
  };
  for (const [name, value] of Object.entries(headers ? expected : {})) {
    const got = headers?.get(name) ?? undefined;
    if (got === value) continue;
    const text = `the header ${name} must be ${formatValue(value)}`;
    throw new RpcError(HEADER_MISMATCH, `${text}, got ${formatValue(got)}`);
  }
  if (requested !== STATELESS_REVISION) {
    const text = `unsupported protocol version: ${formatValue(requested)}`;
    const data = { supported: [STATELESS_REVISION], requested };
    throw new RpcError(UNSUPPORTED_REVISION, text, 400, data);
  }
  if (!isObject(capabilities)) {
    const member = { [`_meta.${CAPABILITIES}`]: capabilities };
    throw mustBe(member, "an object", INVALID_PARAMS);
  }
}

/** Answers a request. Returns the JSON text of its result. */
async function answerRequest(
  { method, params, isStateless }: ReturnType<typeof checkMessage>,
  { serverInfo, instructions, tools }: Server,
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
      throw mustBe({ protocolVersion: wanted }, "a string", INVALID_PARAMS);
    }
    const isKnown = SESSION_REVISIONS.includes(wanted);
    const protocolVersion = isKnown ? wanted : SESSION_REVISIONS[0];
    const result = { protocolVersion, capabilities: OFFERED };
    return JSON.stringify({ ...result, serverInfo, instructions });
  }
  if (!isStateless && method === "ping") return "{}";
  const text = `unknown method: ${formatValue(method)}`;
  throw new RpcError(METHOD_NOT_FOUND, text, isStateless ? 404 : 200);
}

/** Calls a tool. Returns its result as JSON text; if the call fails, that says why. */
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
    const text = await callTool(tool, args, pause);
    await pause(ANSWER_FACTOR * text.length);
    const content = [{ type: "text", text }];
    // The text is JSON, so it becomes a member of the result as it is.
    const others = JSON.stringify({ content, ...common }).slice(1);
    return `{"structuredContent":${text},${others}`;
  } catch (error) {
    const content = [{ type: "text", text: toRpcError(error).message }];
    return JSON.stringify({ content, isError: true, ...common });
  }
}

/** Creates the error for a member, given as an object, whose value is invalid. */
function mustBe(
  member: Fields,
  expected: string,
  code = INVALID_REQUEST,
): RpcError {
  const [[name, value]] = Object.entries(member) as [[string, unknown]];
  const text = `"${name}" must be ${expected}, got ${formatValue(value)}`;
  return new RpcError(code, text);
}

/** Whether a value may identify a message: a string, or a safe integer. */
function isId(value: unknown): boolean {
  return typeof value === "string" || Number.isSafeInteger(value);
}
