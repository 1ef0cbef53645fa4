/**
 * The official server of the Model Context Protocol with our tools. To import
 * this module loads that package: import it when it is needed.
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
import type { Fields } from "../http/input.ts";
import type { Load } from "../load/body.ts";
import { sendJsonText } from "../load/response.ts";
import { describe } from "../quote.ts";
import type { ToolResult } from "./call.ts";
import type { MessageId } from "./errors.ts";
import type { Message } from "./message.ts";
import type { ServerWords, Tool } from "./tools.ts";

/** What a server offers, and to whom it belongs. */
export interface Toolbox {
  readonly words: ServerWords;
  readonly version: string;
  readonly websiteUrl: string;
  readonly tools: readonly Tool[];
  /** Calls one of the tools; never rejects. */
  readonly callTool: (tool: Tool, args: Fields) => Promise<ToolResult>;
}

/** How long a client may keep the list of tools, in milliseconds: one hour. */
const LIST_TTL_MS = 3_600_000;

/** Any client may share what it keeps: all are told the same. */
const CACHE_HINT = { ttlMs: LIST_TTL_MS, cacheScope: "public" } as const;

/**
 * Makes a server for one message, or for the session of a local client.
 *
 * @param getArguments Returns the arguments of a call, which the package was not
 * given; `undefined` if it has none.
 */
export function createToolServer(
  { words, version, websiteUrl, tools, callTool }: Toolbox,
  getArguments: (id: MessageId) => Fields | undefined,
): Server {
  const { instructions, ...identity } = words;
  // Not `McpServer`, which checks arguments by itself, in words of its own.
  const server = new Server({ ...identity, version, websiteUrl }, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { "server/discover": CACHE_HINT, "tools/list": CACHE_HINT },
    // It would only check answers to questions, and this server asks none. Left
    // out, each server makes a validator, which takes longer than all the rest.
    jsonSchemaValidator: { getValidator: refuseValidation },
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
    `unknown tool: ${describe(name)}, the tools are ${names}`,
  );
}

function createResult({ text, isError }: ToolResult): CallToolResult {
  const content = [{ type: "text" as const, text }];
  return isError
    ? { content, isError }
    : { content, structuredContent: JSON.parse(text) };
}

function refuseValidation(): never {
  throw new Error("nothing is validated here");
}

/**
 * Answers a message that came over HTTP with a server of its own: no state stays
 * behind, and no stream is opened. Clients of the revisions of 2025 get the
 * answer as JSON too.
 */
export async function answerMessage(
  { envelope, args }: Message,
  { headers }: Request,
  { toolbox, load }: { readonly toolbox: Toolbox; readonly load: Load },
): Promise<Response> {
  // The package looks at the signal of a request, which costs memory.
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: forward(headers),
  });
  const createServer = () => createToolServer(toolbox, () => args);
  const options = { parsedBody: envelope };
  const response = await isLegacyRequest(request, envelope)
    ? await answerLegacyMessage(request, options, createServer())
    : await createMcpHandler(createServer, {
      legacy: "reject",
      maxSubscriptions: 0,
    }).fetch(request, options);
  if (response.status !== 200) return response;
  return sendJsonText(await response.text(), load);
}

/** The protocol's own headers; what the body is and what may come back is known. */
function forward(headers: Headers): Headers {
  const forwarded = new Headers({
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  });
  for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const value = headers.get(name);
    if (value !== null) forwarded.set(name, value);
  }
  return forwarded;
}

/** As `createMcpHandler` does, but answers JSON where that would open a stream. */
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
