/**
 * A server of the Model Context Protocol, made with the official MCP package. Importing
 * this module loads the package, so import it lazily.
 *
 * @module
 */

import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Fields } from "../http/fields.ts";
import type { RequestScope } from "../load/load.ts";
import { sendJsonText } from "../http/json_response.ts";
import { formatValue } from "../format_value.ts";
import type { ToolResult } from "./call.ts";
import type { MessageId } from "./errors.ts";
import { wordError } from "./envelope.ts";
import type { Message } from "./message.ts";
import type { ServerTexts, Tool } from "./tools.ts";

/** The tools of a server, and its description of itself. */
export interface Toolbox {
  readonly texts: ServerTexts;
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Calls one of the tools. Never rejects. */
  readonly callTool: (tool: Tool, args: Fields) => Promise<ToolResult>;
}

/**
 * Length to which header values are cut for the package, which repeats them in errors.
 * No valid value is longer.
 */
const MAX_HEADER_LENGTH = 40;

/** Time for which a client may cache the list of tools, in milliseconds: one hour. */
const LIST_TTL_MS = 3_600_000;

/** `public`, because the list is the same for all clients. */
const CACHE_HINT = { ttlMs: LIST_TTL_MS, cacheScope: "public" } as const;

/**
 * Makes a server for one message over HTTP, or for a session over standard input and
 * output.
 *
 * @param getArguments Returns the arguments of the call with an identifier, `undefined`
 * if it has none. The package gets messages without arguments.
 */
export function createToolServer(
  { texts, version, tools, callTool }: Toolbox,
  getArguments: (id: MessageId) => Fields | undefined,
): Server {
  const { instructions, ...identity } = texts;
  // The package's `McpServer` would check arguments itself, with other error messages
  // than the endpoints.
  const server = new Server({ ...identity, version }, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { "server/discover": CACHE_HINT, "tools/list": CACHE_HINT },
    // Only questions to the user (elicitation) need a validator, and this server asks
    // none. Without this option each server would create one, which takes most of the
    // time.
    jsonSchemaValidator: { getValidator: rejectValidation },
  });
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map(({ definition }) => definition),
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ definition }) =>
      definition.name === params.name
    );
    if (tool === undefined) throw createUnknownToolError(params.name, tools);
    return createResult(await callTool(tool, getArguments(mcpReq.id) ?? {}));
  });
  return server;
}

function createUnknownToolError(
  name: string,
  tools: readonly Tool[],
): ProtocolError {
  const names = tools.map(({ definition }) => definition.name).join(", ");
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `unknown tool: ${formatValue(name)}, the tools are ${names}`,
  );
}

function createResult({ text, isError }: ToolResult): CallToolResult {
  const content = [{ type: "text" as const, text }];
  return isError
    ? { content, isError }
    : { content, structuredContent: JSON.parse(text) };
}

function rejectValidation(): never {
  throw new Error("this server validates no schemas");
}

/**
 * Answers one message over HTTP, with a server that is made for it: there are no
 * sessions. The response is one JSON document, never an event stream, in all
 * revisions of the protocol.
 *
 * @throws {HttpError} 503 with `Retry-After` or 499, in the cases of `Room.reserve()`.
 */
export async function answerMessage(
  { envelope, args, id }: Message,
  { headers }: Request,
  { toolbox, scope }: {
    readonly toolbox: Toolbox;
    readonly scope: RequestScope;
  },
): Promise<Response> {
  // The package gets a new request, since it would use the signal of the original,
  // which costs memory.
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: selectHeaders(headers),
  });
  const createServer = () => createToolServer(toolbox, () => args);
  const options = { parsedBody: envelope };
  const response = await isLegacyRequest(request, envelope)
    ? await answerLegacyMessage(request, options, createServer())
    : await createMcpHandler(createServer, {
      legacy: "reject",
      maxSubscriptions: 0,
    }).fetch(request, options);
  const { status } = response;
  if (status === 202) return response;
  const text = await response.text();
  // The MCP package writes `result` as the first member. Without it, the text is a short error, which is parsed.
  if (text.startsWith('{"result":')) return sendJsonText(text, scope);
  const { error, ...others } = JSON.parse(text);
  if (error === undefined) return sendJsonText(text, scope);
  const body = { ...others, id, error: wordError(error, envelope) };
  return Response.json(body, { status });
}

/**
 * Returns the headers that the package reads. Those of the client for `Accept` and
 * `Content-Type` are replaced, so that the package accepts any.
 */
function selectHeaders(headers: Headers): Headers {
  const selected = new Headers({
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  });
  for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const value = headers.get(name);
    if (value !== null) selected.set(name, value.slice(0, MAX_HEADER_LENGTH));
  }
  return selected;
}

/**
 * Answers a message of the revisions before 2026-07-28 as JSON;
 * `createMcpHandler` would open a stream.
 */
async function answerLegacyMessage(
  request: Request,
  options: { readonly parsedBody: unknown },
  server: Server,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}
