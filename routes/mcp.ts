/**
 * `POST /mcp`: the operations as tools for agents (Model Context Protocol, without
 * sessions), and the same over standard input and output.
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
import { type Answer, toJsonText } from "../lib/http/answer.ts";
import type { Context } from "../lib/http/router.ts";
import {
  answerMessage,
  createErrorReply,
  listNames,
  type Reply,
} from "../lib/mcp/protocol.ts";
import { answerLines, type Streams } from "../lib/mcp/stdio.ts";
import { createTool } from "../lib/mcp/tools.ts";
import { doNotPause } from "../lib/operation/operation.ts";
import {
  openStandardInput,
  writeOutput,
} from "../lib/system/standard_streams.ts";
import { loadOperations } from "./operations.ts";

const tools = (await loadOperations()).map(createTool);

/** The tools of this service, and its description of itself for agents. */
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
 * Answers a message as JSON, never as an event stream. A notification gets 202. The size
 * of the body has been checked already.
 */
export async function mcp(
  { request: { headers }, body, pause }: Context,
): Promise<Answer> {
  const delivery = { maxBytes: Infinity, pause, headers };
  const reply = await answerMessage(body, MCP_SERVER, delivery);
  if (reply === undefined) return new Response(null, { status: 202 });
  return reply.status === 200 ? reply.text : createReplyResponse(reply);
}

/** `Content-Type` without a charset: clients may compare it with `application/json`. */
const JSON_HEADERS = { "content-type": "application/json" };

/**
 * Makes the response of an answer, or of an error that comes before the message is read,
 * such as 413 or 503.
 */
export function respondToAgent(answering: Promise<Answer>): Promise<Response> {
  return answering.then(createResponse, answerError);
}

function createResponse(answer: Answer): Response {
  if (!(answer instanceof Response)) {
    return new Response(toJsonText(answer), { headers: JSON_HEADERS });
  }
  if (answer.body !== null) {
    answer.headers.set("content-type", JSON_HEADERS["content-type"]);
  }
  return answer;
}

function answerError(error: unknown): Response {
  return createReplyResponse(createErrorReply(error));
}

function createReplyResponse({ text, status, headers }: Reply): Response {
  return new Response(text, {
    status,
    headers: { ...JSON_HEADERS, ...headers },
  });
}

/**
 * Serves a local agent over standard input and output, until the input has ended and every
 * message is answered, or until the agent stops reading.
 *
 * @param maxBytes Largest message, in bytes without its line feed, inclusive.
 * @throws {ExitError} if a stream fails.
 */
export async function serveAgent(
  maxBytes: number,
  streams: Streams = {
    readable: openStandardInput(),
    writable: new WritableStream({ write: writeOutput }),
  },
): Promise<void> {
  const delivery = { maxBytes, pause: doNotPause };
  try {
    await answerLines(
      streams,
      async (line) => (await answerMessage(line, MCP_SERVER, delivery))?.text,
    );
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
