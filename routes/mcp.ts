/**
 * `POST /mcp`: the five operations as tools for agents (Model Context Protocol,
 * revision 2026-07-28, and those of 2025, all without a session).
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
import { checkContentCoding } from "../lib/http/input.ts";
import type { Handler, Route } from "../lib/http/router.ts";
import { readBody } from "../lib/load/body.ts";
import { type Budget, SMALL_BYTES, type Transfer } from "../lib/load/budget.ts";
import { type CallTool, createCallTool } from "../lib/mcp/call.ts";
import {
  answerFailure,
  createErrorResponse,
  type MessageId,
} from "../lib/mcp/errors.ts";
import { MessageError, parseMessage } from "../lib/mcp/message.ts";
import type { Toolbox } from "../lib/mcp/server.ts";
import { createTools, readServerWords } from "../lib/mcp/tools.ts";
import description from "./openapi.json" with { type: "json" };

/** What agents are told of this service, and its tools. */
export const SERVER: Omit<Toolbox, "callTool"> = {
  words: readServerWords(description),
  version: config.version,
  websiteUrl: `https://jsr.io/${config.name}`,
  tools: createTools(description),
};

/**
 * Makes the handler of `/mcp`. The official package is loaded at the first call:
 * a service that is never called by an agent does not pay for it.
 */
export function createMcp(getRoutes: () => readonly Route[]): Handler {
  let callTool: CallTool | undefined;
  return async function mcp(request, context) {
    let id: MessageId = null;
    try {
      checkContentCoding(request);
      const message = await readBody(context, parseMessage);
      id = message.id;
      const call = callTool ??= createCallTool(getRoutes());
      const toolbox: Toolbox = {
        ...SERVER,
        callTool: (tool, args) => call(tool, args, context),
      };
      const { answerMessage } = await import("../lib/mcp/server.ts");
      return await reserveWhile(
        context.budget,
        message.byteLength,
        () => answerMessage(message, request, { toolbox, load: context }),
      );
    } catch (error) {
      if (!(error instanceof MessageError)) return answerFailure(error, id);
      return Response.json(createErrorResponse(error.id, error), {
        status: 400,
      });
    }
  };
}

/** A message is held as a text and as values while it is answered. */
const COPIES = 2;

/**
 * Counts a large message while it is answered.
 *
 * @throws {HttpError} 503 with `Retry-After` if the budget has no room for it.
 */
async function reserveWhile<Value>(
  budget: Budget,
  byteLength: number,
  work: () => Promise<Value>,
): Promise<Value> {
  if (byteLength <= SMALL_BYTES) return await work();
  // Already received, so it is never aborted.
  const transfer: Transfer = { startTime: Infinity, movedBytes: 0, abort() {} };
  budget.reserve(transfer, COPIES * byteLength);
  try {
    return await work();
  } finally {
    budget.release(transfer);
  }
}
