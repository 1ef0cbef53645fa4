/**
 * `POST /mcp`: the five operations as tools for agents (Model Context Protocol,
 * revisions 2026-07-28 and earlier, without sessions).
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
import type { Answer } from "../lib/http/answer.ts";
import type { Context, Pause, Route } from "../lib/http/router.ts";
import { type CallTool, createCallTool } from "../lib/mcp/call.ts";
import {
  answerFailure,
  createErrorResponse,
  MessageError,
  type MessageId,
} from "../lib/mcp/errors.ts";
import { type Message, parseMessage } from "../lib/mcp/message.ts";
import type { Toolbox } from "../lib/mcp/server.ts";
import { createTools, readServerTexts } from "../lib/mcp/tools.ts";
import description from "./openapi.json" with { type: "json" };

/** The tools of this service, and the description of the server for agents. */
export const SERVER: Omit<Toolbox, "callTool"> = {
  texts: readServerTexts(description),
  version: config.version,
  tools: createTools(description),
};

/**
 * Makes the handler of `/mcp`. The official MCP package is loaded when the first message
 * arrives, because it takes time and memory.
 *
 * @param getRoutes Returns the endpoints of the tools.
 */
export function createMcp(
  getRoutes: () => readonly Route[],
): Pick<Route, "handler" | "answerError"> {
  let callTool: CallTool | undefined;

  async function answer(
    message: Message,
    request: Request,
    pause: Pause,
  ): Promise<Answer> {
    const call = callTool ??= createCallTool(getRoutes());
    const { answerMessage } = await import("../lib/mcp/server.ts");
    return await answerMessage(message, request, {
      ...SERVER,
      callTool: (tool, args) => call(tool, args, pause),
    });
  }

  return {
    async handler(request, { body, pause }: Context) {
      let id: MessageId = null;
      try {
        const message = parseMessage(body);
        if (message === undefined) return new Response(null, { status: 202 });
        id = message.id;
        return await answer(message, request, pause);
      } catch (error) {
        if (!(error instanceof MessageError)) {
          return answerFailure(error, { id });
        }
        return Response.json(createErrorResponse(error.id, error), {
          status: 400,
        });
      }
    },
    answerError: (error, maxBytes) =>
      answerFailure(error, { id: null, maxBytes }),
  };
}
