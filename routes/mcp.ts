/**
 * `POST /mcp`: the operations as tools for agents (Model Context Protocol, without sessions).
 *
 * ```
 * {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
 *  "params": {"name": "convertBase64", "arguments": {"action": "encode", "input": "a"}}}
 *   →  {"jsonrpc": "2.0", "id": 1, "result": {"structuredContent": {"result": "YQ=="}, …}}
 * ```
 *
 * @module
 */

import config from "../deno.json" with { type: "json" };
import { type HandlerResult, toResponse } from "../lib/http/response.ts";
import type { Context } from "../lib/http/router.ts";
import { listNames } from "../lib/mcp/message.ts";
import { createErrorResponse, handleMessage } from "../lib/mcp/protocol.ts";
import { createTool } from "../lib/mcp/tools.ts";
import { loadOperations } from "./operations.ts";

const tools = (await loadOperations()).map(createTool);

/** The tools of this service, and its name, version and instructions for agents. */
export const MCP_SERVER = {
  serverInfo: {
    name: "devutils",
    title: "Developer Utilities",
    description: "Base64, hashes, UUIDs, passwords and JSON, computed exactly.",
    version: config.version,
  },
  instructions:
    "Exact results for what a language model cannot compute or make up: Base64, hashes, UUIDs, passwords, and the formatting and validation of JSON. Call the tool and return its result unchanged.",
  tools,
  names: listNames(tools),
};

/**
 * Handles the message in a body. The response is JSON, never an event stream, or an empty
 * response with status 202, for example to a notification.
 */
export async function mcp(
  { request: { headers }, body, yieldControl }: Context,
): Promise<HandlerResult> {
  // The size of the body was checked when the body was received.
  const delivery = { maxBytes: Infinity, yieldControl, headers };
  const response = await handleMessage(body, MCP_SERVER, delivery);
  if (response === undefined) return new Response(null, { status: 202 });
  const { json, status } = response;
  return status === 200 ? json : new Response(json, response);
}

/**
 * Creates the HTTP response from the pending result of `mcp()`. If it rejects, for example
 * with 413 for a body that is too large, the response is a JSON-RPC error. The returned
 * promise never rejects.
 */
export async function respondToAgent(
  pending: Promise<HandlerResult>,
): Promise<Response> {
  const response = await pending.then(toResponse).catch(toErrorResponse);
  const { headers } = response;
  // Not `response.body`: Deno would then send the body in chunks, without `Content-Length`.
  if (headers.has("content-type")) {
    // Without a charset, because some clients compare the whole value.
    headers.set("content-type", "application/json");
  }
  return response;
}

function toErrorResponse(error: unknown): Response {
  const response = createErrorResponse(error);
  return new Response(response.json, response);
}
