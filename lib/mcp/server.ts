/**
 * The official server of the Model Context Protocol with our tools. Whoever
 * imports this module loads that package: import it when it is needed.
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
import { answerJsonText, type Delivery } from "../http/answer.ts";
import { MAX_AT_ONCE_BYTES } from "../http/memory.ts";
import type { FetchHandler } from "../http/middleware.ts";
import { describe } from "../quote.ts";
import { LargeResult } from "./large.ts";
import type { Message } from "./message.ts";
import type { Arguments, Tool } from "./tools.ts";

const utf8Decoder = new TextDecoder();

/** What a server offers. */
export interface Toolbox {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Answers the request to an endpoint that a call of a tool stands for. */
  readonly callEndpoint: FetchHandler;
}

/** Told to the model once, where the client passes it on. */
const INSTRUCTIONS =
  "Exact results for what a language model cannot compute or make up: Base64, hashes, UUIDs, passwords, " +
  "and the formatting and validation of JSON. Call the tool and give its result unchanged.";

/** How long a client may keep the list of tools, in milliseconds: one hour. */
const LIST_TTL_MS = 3_600_000;

/** The one call of a request, as far as it goes past the package. */
interface Call {
  /** Its arguments, where it is a call and has some. */
  readonly args: Arguments | undefined;
  /** Its result, where that is large. */
  largeResult?: LargeResult;
}

/**
 * Makes a server for the call of a request, or for a connection of a local client,
 * whose calls go through the package as they are.
 */
export function createToolServer(toolbox: Toolbox, call?: Call): Server {
  const { version, tools, callEndpoint } = toolbox;
  // Not `McpServer`, which checks arguments by itself, in words of its own.
  const server = new Server(
    { name: "devutils", title: "Developer Utilities", version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
      },
      // It would only check what users are asked for, and nobody is. Left out,
      // each server makes a validator, which takes longer than all the rest.
      jsonSchemaValidator: { getValidator: refuseValidation },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map(({ definition }) => definition),
  }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = tools.find(({ definition }) =>
      definition.name === params.name
    );
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `unknown tool: ${describe(params.name)}`,
      );
    }
    const request = createRequest(tool, call?.args ?? params.arguments ?? {});
    if (request === undefined) {
      return createError("the arguments must not be nested so deeply");
    }
    const response = await callEndpoint(request);
    const bytes = await response.bytes();
    const text = utf8Decoder.decode(bytes);
    if (!response.ok) return createError(JSON.parse(text).error);
    if (call !== undefined && bytes.byteLength > MAX_AT_ONCE_BYTES) {
      call.largeResult = new LargeResult(text, bytes);
      return call.largeResult.standIn;
    }
    return {
      content: [{ type: "text", text }],
      structuredContent: JSON.parse(text),
    };
  });
  return server;
}

function createRequest(tool: Tool, args: Arguments): Request | undefined {
  try {
    return tool.createRequest(args);
  } catch (error) {
    // Where a name is a number, the runtime writes what is nested by recursion.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function createError(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function refuseValidation(): never {
  throw new Error("nothing is validated here");
}

/**
 * Answers a message that came over HTTP with a server of its own: nothing stays
 * behind, and no stream is opened. Clients of the revisions of 2025 get the
 * answer as JSON too.
 */
export async function answerMessage(
  { envelope, args }: Message,
  { headers }: Request,
  { toolbox, delivery }: {
    readonly toolbox: Toolbox;
    readonly delivery: Delivery;
  },
): Promise<Response> {
  // The package looks at the signal of a request, which costs memory.
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: forward(headers),
  });
  const call: Call = { args };
  const createServer = () => createToolServer(toolbox, call);
  const options = { parsedBody: envelope };
  const response = await isLegacyRequest(request, envelope)
    ? await answerLegacyMessage(request, options, createServer())
    : await createMcpHandler(createServer, {
      legacy: "reject",
      maxSubscriptions: 0,
    }).fetch(request, options);
  if (response.status !== 200) return response;
  const text = await response.text();
  return await call.largeResult?.answer(text, delivery) ??
    answerJsonText(text, delivery);
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
