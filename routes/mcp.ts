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
import type { Handler, Route } from "../lib/http/router.ts";
import { holdMeanwhile } from "../lib/mcp/hold.ts";
import { MessageError, parseMessage } from "../lib/mcp/message.ts";
import { createToolboxes, type Service } from "../lib/mcp/toolbox.ts";
import description from "./openapi.json" with { type: "json" };

/** What models are told of each endpoint besides its description. */
const ADVICE: Service["advice"] = {
  "/api/base64": {
    use:
      "Use it for every Base64 text, however short: never encode or decode one yourself.",
    isIdempotent: true,
  },
  "/api/hash": {
    use:
      "Use it whenever a SHA-1, SHA-256 or SHA-512 digest is wanted or is to be checked: never write one from memory.",
    isIdempotent: true,
  },
  "/api/uuid": {
    use:
      "Use it whenever a new UUID is needed: never make one up, since what you write is not random.",
    isIdempotent: false,
  },
  "/api/password": {
    use:
      "Use it whenever a new password or secret is needed: never make one up, since what you write can be guessed.",
    isIdempotent: false,
  },
  "/api/json": {
    use:
      "Use it to indent, minify or check a JSON text: never retype one yourself, which loses digits and characters.",
    isIdempotent: true,
  },
};

/** What agents are told of this service. */
export const SERVICE: Service = {
  version: config.version,
  description,
  advice: ADVICE,
};

/**
 * Makes the handler of `/mcp`. The official package is loaded at the first call,
 * so that whoever never calls pays nothing for it.
 */
export function createMcp(getRoutes: () => readonly Route[]): Handler {
  let createToolbox: ReturnType<typeof createToolboxes> | undefined;
  return async function mcp(request, context) {
    const message = await context.readBody(request, parseMessage)
      .catch(answerMessageError);
    if (message instanceof Response) return message;
    createToolbox ??= createToolboxes(getRoutes(), SERVICE);
    const { answerMessage } = await import("../lib/mcp/server.ts");
    const options = { toolbox: createToolbox(context), delivery: context };
    return await holdMeanwhile(
      context.memory,
      message.byteLength,
      () => answerMessage(message, request, options),
    );
  };
}

/** Answers as the protocol does, to no message in particular. */
function answerMessageError(error: unknown): Response {
  if (!(error instanceof MessageError)) throw error;
  const { code, message } = error;
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code, message } },
    { status: 400 },
  );
}
