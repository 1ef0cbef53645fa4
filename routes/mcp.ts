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

/** The tools, along with the name, version, and instructions that agents receive. */
export const MCP_SERVER = {
  serverInfo: {
    name: "devutils",
    title: "Developer Utilities",
    description:
      "Base64, hashes, UUIDs, passwords, and JSON, with exact results.",
    version: config.version,
  },
  instructions:
    "Exact results that a language model can't compute or make up: Base64, hashes, UUIDs, passwords, and formatted or validated JSON. Call the tool and return its result unchanged.",
  tools,
  names: listNames(tools),
};

/**
 * Handles the message in a request body. The response is JSON, never an event stream. If the
 * message needs no response, as with a notification, the body is empty and the status is 202.
 */
export async function mcp(
  { request: { headers }, body, yieldControl }: Context,
): Promise<HandlerResult> {
  // The size of the body was already checked while it arrived.
  const delivery = { maxBytes: Infinity, yieldControl, headers };
  const response = await handleMessage(body, MCP_SERVER, delivery);
  if (response === undefined) return new Response(null, { status: 202 });
  const { json, status } = response;
  return status === 200 ? json : new Response(json, response);
}

/**
 * Creates the HTTP response from the pending result of `mcp()`. If `pending` rejects, for
 * example with status 413 for a large body, returns a JSON-RPC error. Never rejects.
 */
export async function respondToAgent(
  pending: Promise<HandlerResult>,
): Promise<Response> {
  const response = await pending.then(toResponse).catch((error) => {
    const { json, ...init } = createErrorResponse(error);
    return new Response(json, init);
  });
  const { headers } = response;
  // Don't test `response.body`: reading it makes Deno omit `Content-Length`.
  if (headers.has("content-type")) {
    // Omit the charset, because some clients compare the entire header.
    headers.set("content-type", "application/json");
  }
  return response;
}
