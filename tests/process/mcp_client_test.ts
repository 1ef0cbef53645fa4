/** The official clients, new and old, with `/mcp` and with `deno task mcp`. */

import { assertEquals, assertMatch } from "@std/assert";
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as Client1_0 } from "@modelcontextprotocol/sdk-1.0/client/index.js";
import { StdioClientTransport as Stdio1_0 } from "@modelcontextprotocol/sdk-1.0/client/stdio.js";
import config from "../../deno.json" with { type: "json" };
import { MCP_SERVER } from "../../routes/mcp.ts";
import { readCommand, startServer } from "../_server.ts";
import { CALLS, createToolError, type Json } from "../mcp/_agent.ts";

const INFO = { name: "test", version: "1.0.0" };

/** Creates a client of the newest package. */
function createClient(mode: "legacy" | { pin: string }) {
  return new Client(INFO, { versionNegotiation: { mode } });
}

/**
 * Clients with their transports, whose types differ in parts that are not used here. The
 * package for 1.0 supports over HTTP only a transport that MCP has removed.
 */
const CLIENTS: readonly (readonly [
  name: string,
  create: () => Json,
  Stdio: Json,
  Http?: Json,
])[] = [
  [
    "2.4 with the protocol version of 2026",
    () => createClient({ pin: "2026-07-28" }),
    StdioClientTransport,
    StreamableHTTPClientTransport,
  ],
  [
    "2.4 with a protocol version of 2025",
    () => createClient("legacy"),
    StdioClientTransport,
    StreamableHTTPClientTransport,
  ],
  ["1.32", () => new Client1(INFO), Stdio1, Http1],
  ["1.0", () => new Client1_0(INFO, { capabilities: {} }), Stdio1_0],
];

/** Lists and calls every tool with a connected client. */
async function useEveryTool(client: Json): Promise<void> {
  assertEquals(client.getServerVersion()?.version, config.version);
  const { tools } = await client.listTools();
  assertEquals(
    tools.map(({ name }: Json) => name),
    MCP_SERVER.tools.map(({ name }) => name),
  );
  const call = (name: string, args: object): Promise<Json> =>
    client.callTool({ name, arguments: args });
  for (const [name, args, expected] of CALLS) {
    // The clients since 1.10 check the result against the tool's output schema.
    const { content, structuredContent, isError } = await call(name, args);
    const text = JSON.stringify(structuredContent);
    if (expected instanceof RegExp) assertMatch(text, expected);
    else assertEquals(structuredContent, expected);
    assertEquals([content, isError], [[{ type: "text", text }], undefined]);
  }
  const { content, isError } = await call("generateUuids", { count: 101 });
  const error = '"count" must be an integer from 1 to 100, got 101';
  assertEquals({ content, isError }, createToolError(error));

  // Calls at the same time, with arguments of up to almost 1 MiB.
  const inputs = [1, 10, 700_000].map((length) => "x".repeat(length));
  const results = await Promise.all(
    inputs.map((input) => call("convertBase64", { action: "encode", input })),
  );
  assertEquals(
    results.map(({ structuredContent }) => structuredContent.result),
    inputs.map(btoa),
  );
}

Deno.test("the official clients use every tool over HTTP", async (t) => {
  await using server = await startServer();
  for (const [name, create, , Http] of CLIENTS) {
    if (Http === undefined) continue;
    await t.step(name, async () => {
      const client = create();
      await client.connect(new Http(new URL(`${server.origin}/mcp`)));
      await useEveryTool(client);
      await client.close();
    });
  }
  // No error was logged.
  assertEquals(server.log(), `listening on ${server.origin}\n`);
});

Deno.test("the official clients use every tool through standard input and output", async (t) => {
  const [, ...args] = readCommand("mcp");
  const env = Deno.env.toObject();
  for (const [name, create, Stdio] of CLIENTS) {
    await t.step(name, async () => {
      const client = create();
      await client.connect(new Stdio({ command: Deno.execPath(), args, env }));
      await useEveryTool(client);
      await client.close();
    });
  }
});
