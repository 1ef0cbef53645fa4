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
import { checkContentCoding } from "../lib/http/json_body.ts";
import type { Context, Handler, Route } from "../lib/http/router.ts";
import { readBody } from "../lib/http/body.ts";
import { endTurn, getLarge } from "../lib/load/load.ts";
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
export function createMcp(getRoutes: () => readonly Route[]): Handler {
  let callTool: CallTool | undefined;

  async function answer(
    message: Message,
    context: Context,
  ): Promise<Response> {
    const call = callTool ??= createCallTool(getRoutes());
    const toolbox: Toolbox = {
      ...SERVER,
      callTool: (tool, args) => call(tool, args, context),
    };
    const { answerMessage } = await import("../lib/mcp/server.ts");
    // The request and the endpoint that it calls must share one `LargeRequest`, so it is
    // created before the call. Then the request waits only once for its turn to be worked
    // on, and keeps its turn until the response has been created.
    getLarge(context);
    return await endTurn(
      context,
      answerMessage(message, context.request, { toolbox, scope: context }),
    );
  }

  return async function mcp(request, context) {
    let id: MessageId = null;
    try {
      checkContentCoding(request);
      return await readBody(context, {
        parse: parseMessage,
        use(message) {
          if (message === undefined) return new Response(null, { status: 202 });
          id = message.id;
          return answer(message, context);
        },
      });
    } catch (error) {
      if (!(error instanceof MessageError)) {
        return answerFailure(error, {
          id,
          maxBytes: context.load.maxBodyBytes,
        });
      }
      return Response.json(createErrorResponse(error.id, error), {
        status: 400,
      });
    }
  };
}
