/**
 * The Model Context Protocol (MCP), versions 2024-10-07 to 2026-07-28, for a server that offers
 * only tools. Batches aren't supported. No state is kept between messages, so `handleMessage()`
 * works for both HTTP and standard input.
 *
 * @module
 */

import type { Bytes } from "../buffer.ts";
import type { YieldControl } from "../operation/context.ts";
import type { JsonObject } from "../json/object.ts";
import { formatValue } from "../format_value.ts";
import {
  type CheckedRequest,
  checkMessage,
  DISCOVER,
  fillEmpty,
  isId,
  isNotification,
  isResponse,
  parseMessage,
  SESSION_VERSIONS,
  STATELESS_VERSION,
} from "./message.ts";
import {
  createParamError,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RpcError,
  toRpcError,
} from "./rpc_error.ts";
import { callTool, type Tool } from "./tools.ts";

/** The property of `_meta` that describes the server (MCP 2026-07-28). */
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** Omits `listChanged`, because the list of tools never changes. */
const CAPABILITIES = { tools: {} };

/** Lets any cache keep a result for an hour. */
const CACHEABLE = { ttlMs: 3_600_000, cacheScope: "public" };

export interface McpServer {
  /** An `Implementation`: the name, title, description, and version. */
  readonly serverInfo: JsonObject;
  /** Instructions for the model. Only some clients pass them on. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The result of `listNames()` for `tools`. */
  readonly names: readonly string[];
}

/** How a message arrived: over HTTP or standard input. */
export interface Delivery {
  /** Maximum size of a message, in bytes. */
  readonly maxBytes: number;
  /** Lets other requests run between the parts of a long computation. */
  readonly yieldControl: YieldControl;
  /** The headers of the HTTP request; `undefined` over standard input. */
  readonly headers?: Headers;
}

export interface MessageResponse {
  readonly json: string;
  readonly status: number;
  /** Additional headers of the HTTP response, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Handles one message, and returns the response, which is a result or an error. Never rejects.
 * Returns `undefined` for a notification (JSON-RPC 2.0, section 4.1), and for a response,
 * because two programs that respond to each other's errors would never stop. Over HTTP, returns
 * an error for an invalid notification, because MCP requires an error status.
 */
export async function handleMessage(
  bytes: Bytes,
  server: McpServer,
  { maxBytes, yieldControl, headers }: Delivery,
): Promise<MessageResponse | undefined> {
  let id: unknown = null;
  let isSilent = false;
  try {
    const message = parseMessage(bytes, server.names);
    await yieldControl();
    if (isResponse(message)) return undefined;
    if (isId(message["id"])) id = message["id"];
    isSilent = isNotification(message) && headers === undefined;
    if (bytes.length > maxBytes) {
      const problem = `a message must be at most ${maxBytes} bytes`;
      throw new RpcError(INVALID_REQUEST, problem);
    }

    const request = checkMessage(message, headers);
    if (isNotification(message)) return undefined;
    const result = await handleRequest(request, server, yieldControl);
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
    return { json: `${start}${result}}`, status: 200 };
  } catch (error) {
    return isSilent ? undefined : createErrorResponse(error, id);
  }
}

/**
 * Creates a JSON-RPC error response. `id` is `null` if the message's ID is unknown, for example
 * because the message isn't JSON.
 */
export function createErrorResponse(
  error: unknown,
  id: unknown = null,
): MessageResponse {
  const { code, message, details } = toRpcError(error);
  const { status = 400, headers = {}, data } = details;
  const body = { jsonrpc: "2.0", id, error: { code, message, data } };
  return { json: JSON.stringify(body), status, headers };
}

/**
 * Returns the result of a request as JSON.
 *
 * @throws {RpcError} for an unknown method or tool, or an invalid parameter.
 */
async function handleRequest(
  { method, params, isStateless }: CheckedRequest,
  { serverInfo, instructions, tools }: McpServer,
  yieldControl: YieldControl,
): Promise<string> {
  // MCP 2026-07-28 adds these properties to every result.
  const common = isStateless
    ? { resultType: "complete", _meta: { [SERVER_INFO]: serverInfo } }
    : {};
  if (method === "tools/call") {
    return await call(params, { tools, yieldControl, common });
  }
  if (method === "tools/list") {
    const { cursor } = params;
    if (cursor !== undefined && cursor !== null) {
      const expected = "absent, because the list has only one page";
      throw createParamError("cursor", expected, cursor);
    }
    const list = { tools: tools.map(({ definition }) => definition) };
    const caching = isStateless ? CACHEABLE : {};
    return JSON.stringify({ ...list, ...caching, ...common });
  }
  if (method === DISCOVER) {
    return JSON.stringify({
      supportedVersions: [STATELESS_VERSION],
      capabilities: CAPABILITIES,
      instructions,
      ...CACHEABLE,
      ...common,
    });
  }
  if (!isStateless && method === "initialize") {
    const { protocolVersion: requested } = params;
    if (typeof requested !== "string") {
      throw createParamError("protocolVersion", "a string", requested);
    }
    const isKnown = SESSION_VERSIONS.includes(requested);
    return JSON.stringify({
      protocolVersion: isKnown ? requested : SESSION_VERSIONS[0],
      capabilities: CAPABILITIES,
      serverInfo,
      instructions,
    });
  }
  if (!isStateless && method === "ping") return "{}";
  const problem = `unknown method: ${formatValue(method)}`;
  const status = isStateless ? 404 : 200;
  throw new RpcError(METHOD_NOT_FOUND, problem, { status });
}

/**
 * Calls a tool, and returns the result as JSON. If the call fails, the result contains
 * `isError` and a message for the model.
 *
 * @throws {RpcError} for an unknown tool.
 */
async function call(
  { name, arguments: args }: JsonObject,
  { tools, yieldControl, common }: {
    tools: readonly Tool[];
    yieldControl: YieldControl;
    common: JsonObject;
  },
): Promise<string> {
  const tool = tools.find((tool) => tool.name === name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ");
    const got = formatValue(name);
    const problem = `unknown tool: ${got}; the tools are ${names}`;
    throw new RpcError(INVALID_PARAMS, problem, { status: 200 });
  }
  try {
    const text = await callTool(tool, fillEmpty(args), yieldControl);
    await yieldControl();
    const content = [{ type: "text", text }];
    // Inserts the result without `JSON.stringify()`, because it is already JSON.
    const properties = JSON.stringify({ content, ...common }).slice(1);
    return `{"structuredContent":${text},${properties}`;
  } catch (error) {
    const content = [{ type: "text", text: toRpcError(error).message }];
    return JSON.stringify({ content, isError: true, ...common });
  }
}
