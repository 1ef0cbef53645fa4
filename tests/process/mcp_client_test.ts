/**
 * The official clients, new and old, with `/mcp` and with `deno task mcp`: every tool, an
 * argument of almost 1 MiB, and 30 calls at once.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
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
import { SERVER } from "../../routes/mcp.ts";
import { readCommand, startServer } from "../_server.ts";
import { CALLS, createToolError, type Json } from "../mcp/_client.ts";

/** The common part of the clients, whose types differ in what is not used here. */
interface AnyClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  getServerVersion(): { readonly version: string } | undefined;
  listTools(): Promise<{ readonly tools: readonly { name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
}

type Transport<Options extends unknown[]> = new (
  ...options: Options
) => unknown;

interface ClientPackage {
  readonly create: () => unknown;
  readonly stdio: Transport<[StdioOptions]>;
  /** The package for 1.0 has only a transport that MCP has given up. */
  readonly http?: Transport<[URL]>;
}

interface StdioOptions {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const INFO = { name: "test", version: "1.0.0" };

function createPackage(
  mode: "auto" | "legacy" | { pin: string },
): ClientPackage {
  return {
    create: () => new Client(INFO, { versionNegotiation: { mode } }),
    stdio: StdioClientTransport,
    http: StreamableHTTPClientTransport,
  };
}

const PACKAGES: Readonly<Record<string, ClientPackage>> = {
  "2.4, revision of 2026": createPackage({ pin: "2026-07-28" }),
  "2.4, revision of 2025": createPackage("legacy"),
  "2.4, automatic": createPackage("auto"),
  "1.32": {
    create: () => new Client1(INFO),
    stdio: Stdio1,
    http: Http1 as Transport<[URL]>,
  },
  "1.0": {
    create: () => new Client1_0(INFO, { capabilities: {} }),
    stdio: Stdio1_0,
  },
};

/** Lists and calls every tool with a connected client. */
async function useEveryTool(client: AnyClient): Promise<void> {
  assertEquals(client.getServerVersion()?.version, config.version);
  const { tools } = await client.listTools();
  assertEquals(
    tools.map(({ name }) => name),
    SERVER.tools.map(({ name }) => name),
  );
  const call = async (name: string, args: object): Promise<Json> =>
    await client.callTool({ name, arguments: args });
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

  const input = "x".repeat(1_000_000);
  const large = await call("hashText", { algorithm: "sha1", input });
  const digest = "55b443b60176235ef09801153cca4e6da7494a0c";
  assertEquals(large.structuredContent, { result: digest, algorithm: "sha1" });

  const texts = Array.from({ length: 30 }, (_, i) => `text ${i}`);
  const results = await Promise.all(
    texts.map((input) => call("convertBase64", { action: "encode", input })),
  );
  assertEquals(
    results.map(({ structuredContent }) => structuredContent.result),
    texts.map(btoa),
  );
}

Deno.test("the official clients use every tool over HTTP", async (t) => {
  await using server = await startServer();
  for (const [name, { create, http: Http }] of Object.entries(PACKAGES)) {
    if (Http === undefined) continue;
    await t.step(name, async () => {
      const client = create() as AnyClient;
      await client.connect(new Http(new URL(`${server.origin}/mcp`)));
      await useEveryTool(client);
      await client.close();
    });
  }
  // No error was logged.
  assertEquals(server.log(), `listening on ${server.origin}\n`);
});

Deno.test("the official clients use every tool over standard input and output", async (t) => {
  const [, ...args] = readCommand("mcp");
  assert(!args.some((word) => word.startsWith("--allow")));
  const env = Deno.env.toObject();
  for (const [name, { create, stdio: Stdio }] of Object.entries(PACKAGES)) {
    await t.step(name, async () => {
      const client = create() as AnyClient;
      await client.connect(new Stdio({ command: Deno.execPath(), args, env }));
      await useEveryTool(client);
      await client.close();
    });
  }
});
