/**
 * A server of the Model Context Protocol (MCP), made with the official package. Importing
 * this module loads the package, which takes time, so import it only when it is needed.
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
import type { Answer } from "../http/answer.ts";
import type { Pause } from "../http/router.ts";
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
  /** Calls one of the tools. Never rejects: a failure is a result with `isError`. */
  readonly callTool: (
    tool: Tool,
    args: Fields,
    pause?: Pause,
  ) => Promise<ToolResult>;
}

/**
 * Length, in characters, to which header values are cut for the MCP package. No valid value
 * is longer, and the package repeats invalid values in its error messages.
 */
const MAX_HEADER_LENGTH = 40;

/** Time for which a client may cache the list of tools, in milliseconds: one hour. */
const LIST_TTL_MS = 3_600_000;

const utf8Encoder = new TextEncoder();

/** Permission to cache a response: `public`, because it is the same for all clients. */
const CACHE_HINT = { ttlMs: LIST_TTL_MS, cacheScope: "public" } as const;

/**
 * Makes a server, for one message over HTTP or for a session over standard input and
 * output.
 *
 * @param getArguments Returns the arguments of the tool call with the given message
 * identifier; `undefined` if the call has none. It is called once for each call. The server
 * needs this function because the MCP package gets messages without arguments.
 */
export function createToolServer(
  { texts, version, tools, callTool }: Toolbox,
  getArguments: (id: MessageId) => Fields | undefined,
): Server {
  const { instructions, ...identity } = texts;
  // The package's class `McpServer` is not used: it would check arguments itself, and its
  // error messages differ from those of the endpoints.
  const server = new Server({ ...identity, version }, {
    capabilities: { tools: {} },
    instructions,
    cacheHints: { "server/discover": CACHE_HINT, "tools/list": CACHE_HINT },
    // The package needs a schema validator only to question the user (elicitation), which
    // this server never does. By default each server would create one, which takes most of
    // the time of a call.
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
 * Answers one message over HTTP, with a server that is made for this message alone: there
 * are no sessions. The response is one JSON document, never an event stream.
 */
export async function answerMessage(
  { envelope, args, id }: Message,
  { headers }: Request,
  toolbox: Toolbox,
): Promise<Answer> {
  // The package reads the `signal` of its request. The signal of the client's request is
  // created only when it is read, and takes memory. So the package gets a new request
  // instead.
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: selectHeaders(headers),
  });
  // The server stays in memory for some time after its response. So it takes the arguments,
  // which may be large, out of this array when it needs them, and does not keep them.
  const pending = [args];
  const createServer = () => createToolServer(toolbox, () => pending.pop());
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
  // A text that begins with the member `result` is a successful response. It may be large,
  // and is sent without being parsed. Any other text is short: it is parsed, and its error
  // is reworded.
  if (text.startsWith('{"result":')) return utf8Encoder.encode(text);
  const { error, ...others } = JSON.parse(text);
  if (error === undefined) return utf8Encoder.encode(text);
  const body = { ...others, id, error: wordError(error, envelope) };
  return Response.json(body, { status });
}

/**
 * Returns the headers that the MCP package reads. `Accept` and `Content-Type` have fixed
 * values that the package accepts, so that clients may send any.
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
 * Answers a message of a protocol revision before 2026-07-28 as JSON, with the package's
 * older transport: `createMcpHandler` would answer such a message with an event stream.
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
