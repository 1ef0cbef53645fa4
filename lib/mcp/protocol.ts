/**
 * The Model Context Protocol (MCP) for a server with tools, but without prompts or resources,
 * in the versions 2024-10-07 to 2026-07-28, without batches. No state is kept between messages
 * (JSON-RPC 2.0), so `handleMessage()` serves both HTTP and standard input.
 *
 * @module
 */

import { InputError } from "../operation/input_error.ts";
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
import { callTool, type Tool, ToolError } from "./tools.ts";

/** Name of the property of `_meta` that describes the server (MCP 2026-07-28). */
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** Capabilities of the server: tools, without `listChanged`, because the list is constant. */
const CAPABILITIES = { tools: {} };

/** Properties of a result that permit any cache to keep the result for an hour. */
const CACHEABLE = { ttlMs: 3_600_000, cacheScope: "public" };

/** A server: its description for clients, and its tools. */
export interface McpServer {
  readonly serverInfo: Readonly<
    Record<"name" | "title" | "description" | "version", string>
  >;
  /** General instructions for the model, which only some clients pass to the model. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The result of `listNames()` for `tools`. */
  readonly names: readonly string[];
}

/** The properties in which a message over HTTP differs from one over standard input. */
export interface Delivery {
  /** Largest message, in bytes, inclusive. */
  readonly maxBytes: number;
  /** Lets other requests run between the parts of a long computation. */
  readonly yieldControl: YieldControl;
  /** The headers of the HTTP request; `undefined` over standard input. */
  readonly headers?: Headers;
}

/** The response to a message: its JSON, and its status over HTTP. */
export interface MessageResponse {
  readonly json: string;
  readonly status: number;
  /** Additional headers of the HTTP response, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Handles one message, and returns the response: a result or an error. Returns `undefined`
 * for a notification (JSON-RPC 2.0, section 4.1), and for a response or an error response:
 * two programs that respond to each other's errors would never stop. Over HTTP, an invalid
 * notification gets an error, because MCP requires a status for it. Never rejects.
 */
export async function handleMessage(
  bytes: Uint8Array,
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
      const problem = `a message must have at most ${maxBytes} bytes`;
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
 * Creates the JSON-RPC error response for an error. `id` is `null` if the identifier of the
 * message is not known, for example if the message could not be read.
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
 * @throws {RpcError} for an unknown method or tool, a `protocolVersion` that is not a
 * string, or a `cursor`.
 */
async function handleRequest(
  { method, params, isStateless }: CheckedRequest,
  { serverInfo, instructions, tools }: McpServer,
  yieldControl: YieldControl,
): Promise<string> {
  // The properties that MCP 2026-07-28 adds to every result.
  const common = isStateless
    ? { resultType: "complete", _meta: { [SERVER_INFO]: serverInfo } }
    : {};
  if (method === "tools/call") {
    return await call(params, { tools, yieldControl, common });
  }
  if (method === "tools/list") {
    const { cursor } = params;
    if (cursor !== undefined && cursor !== null) {
      const expected = "absent, because the list has one page";
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
 * Calls a tool, and returns the result of the request as JSON. If the call fails, the result
 * has `isError` and a message for the model.
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
    const problem = `unknown tool: ${got}, the tools are ${names}`;
    throw new RpcError(INVALID_PARAMS, problem, { status: 200 });
  }
  try {
    const text = await callTool(tool, fillEmpty(args), yieldControl);
    await yieldControl();
    const content = [{ type: "text", text }];
    // The text is already JSON, so it is inserted as a value without `JSON.stringify()`.
    const properties = JSON.stringify({ content, ...common }).slice(1);
    return `{"structuredContent":${text},${properties}`;
  } catch (error) {
    const isForModel = error instanceof InputError ||
      error instanceof ToolError;
    const text = isForModel ? error.message : toRpcError(error).message;
    const content = [{ type: "text", text }];
    return JSON.stringify({ content, isError: true, ...common });
  }
}
