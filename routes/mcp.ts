/**
 * `POST /mcp`: the operations as tools for agents (Model Context Protocol, without
 * sessions). `serveAgent()` serves the same tools over standard input and output.
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
import { handleLines } from "../lib/mcp/stdio.ts";
import { createTool } from "../lib/mcp/tools.ts";
import { noYield } from "../lib/operation/context.ts";
import { readInput, writeOutput } from "../lib/process/standard_streams.ts";
import type { Bytes } from "../lib/buffer.ts";
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
    "Exact results for what a language model cannot compute or make up: Base64, hashes, UUIDs, passwords, and the formatting and validation of JSON. Call the tool and give its result unchanged.",
  tools,
  names: listNames(tools),
};

/**
 * Answers the message in a body with JSON, never with an event stream. A message that needs
 * no answer, such as a notification, gets an empty response with status 202.
 */
export async function mcp(
  { request: { headers }, body, yieldControl }: Context,
): Promise<HandlerResult> {
  // The size of the body was checked when the body was received.
  const delivery = { maxBytes: Infinity, yieldControl, headers };
  const answer = await handleMessage(body, MCP_SERVER, delivery);
  if (answer === undefined) return new Response(null, { status: 202 });
  return answer.status === 200
    ? answer.text
    : new Response(answer.text, answer);
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
    // No charset: clients may compare the whole value with `application/json`.
    headers.set("content-type", "application/json");
  }
  return response;
}

function toErrorResponse(error: unknown): Response {
  const answer = createErrorResponse(error);
  return new Response(answer.text, answer);
}

/**
 * Serves a local agent over standard input and output, until the input has ended and all
 * responses are written, or until the agent has closed the output.
 *
 * @param maxBytes Largest message, in bytes without its newline, inclusive.
 * @throws {ExitError} with status 1 if reading or writing fails, for example because a disk
 * is full, but not because the agent has closed the output.
 */
export async function serveAgent(
  maxBytes: number,
  input: AsyncIterable<Bytes> = readInput(
    Deno.stdin.readable,
    "standard input",
  ),
  write: (text: string) => Promise<void> = writeOutput,
): Promise<void> {
  const delivery = { maxBytes, yieldControl: noYield };
  async function handle(line: Bytes): Promise<string | undefined> {
    return (await handleMessage(line, MCP_SERVER, delivery))?.text;
  }
  try {
    await handleLines(input, { handle, write });
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
