/** Sends messages to the tools, in process. */

import { assert } from "@std/assert";
import type { FetchHandler } from "../../lib/http/middleware.ts";
import { DEFAULT_BODY_LIMITS } from "../../lib/http/body.ts";
import { serveAgent } from "../../lib/mcp/stdio.ts";
import { MCP_SERVER } from "../../routes/mcp.ts";
import { createHandler } from "../../routes/mod.ts";
import { call, type CheckedResponse } from "../_client.ts";
import { UUID } from "../_examples.ts";

/** Calls of each tool with their results, or patterns of random results. */
export const CALLS: readonly (readonly [
  name: string,
  args: object,
  expected: object | RegExp,
])[] = [
  ["convertBase64", { action: "encode", input: "héllo" }, {
    result: "aMOpbGxv",
  }],
  ["hashText", { algorithm: "sha1", input: "abc" }, {
    result: "a9993e364706816aba3e25717850c26c9cd0d89d",
    algorithm: "sha1",
  }],
  ["generateUuids", {}, RegExp(`^\\{"uuid":"${UUID}"\\}$`)],
  ["generateUuids", { count: 1 }, RegExp(`^\\{"uuids":\\["${UUID}"\\]\\}$`)],
  ["generatePassword", {
    length: 8,
    uppercase: false,
    lowercase: false,
    symbols: false,
  }, /^\{"password":"[0-9]{8}","strength":"very-weak"\}$/],
  ["processJson", { action: "format", input: "[1.0]", indent: 4 }, {
    result: "[\n    1.0\n]",
    valid: true,
  }],
  ["processJson", { action: "validate", input: "[1,]" }, {
    result: 'expected a JSON value, got "]" at line 1, column 4',
    valid: false,
  }],
];

/** Parsed JSON of any shape. */
export type Json = ReturnType<typeof JSON.parse>;

/** A message: a string or blob is sent unchanged, any other value as JSON. */
type Sendable = unknown;

/** Returns a message as a string or bytes. */
export function toPayload(message: Sendable): string | Blob {
  const isPayload = typeof message === "string" || message instanceof Blob;
  return isPayload ? message : JSON.stringify(message);
}

const defaultHandler = createHandler();

/** Sends a message over HTTP. */
export async function send(
  message: Sendable,
  headers: HeadersInit = {},
  handler: FetchHandler = defaultHandler,
): Promise<CheckedResponse & { readonly body: Json }> {
  const body = message instanceof ReadableStream ? message : toPayload(message);
  return await call("/mcp", { method: "POST", headers, body, handler });
}

/** Creates the headers that a message of protocol version 2026-07-28 needs over HTTP. */
export function fitHeaders(message: Json): Record<string, string> {
  const version = message?.params?._meta?.[
    "io.modelcontextprotocol/protocolVersion"
  ];
  if (version === undefined) return {};
  const { method, params: { name } } = message;
  const headers = {
    "mcp-protocol-version": version,
    "mcp-method": method,
    "mcp-name": name,
  };
  return Object.fromEntries(
    Object.entries(headers).filter(([, value]) =>
      typeof value === "string" && /^[\x21-\x7e]+$/.test(value)
    ),
  );
}

/** Serves an input like stdin, and returns the parsed lines of the output. */
export async function sendLines(
  input: BlobPart | AsyncIterable<Uint8Array<ArrayBuffer>>,
  maxBytes = DEFAULT_BODY_LIMITS.maxBodyBytes,
): Promise<Json[]> {
  const chunks = typeof input === "object" && Symbol.asyncIterator in input
    ? input
    : new Blob([input]).stream();
  let text = "";
  await serveAgent(MCP_SERVER, maxBytes, {
    input: chunks,
    write(line) {
      text += line;
      return Promise.resolve();
    },
  });
  assert(text === "" || text.endsWith("\n"));
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

/** The transports. Each has a function that sends a message and returns any parsed response. */
export const TRANSPORTS = [
  ["HTTP", async (message: Sendable) => (await send(message)).body],
  ["standard input and output", async (message: Sendable) => {
    const line = new Blob([toPayload(message), "\n"]);
    const responses = await sendLines(line);
    assert(responses.length <= 1);
    return responses[0];
  }],
] as const;

/** Creates a request that calls a tool. */
export function callTool(name: string, args: unknown, id: unknown = 1) {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args },
  };
}

/** Creates the result of a failed call. */
export function createToolError(text: string): object {
  return { content: [{ type: "text", text }], isError: true };
}

/** `_meta` of requests of the newest protocol version. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
