/** The official client with `/mcp` and with `deno task mcp`. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import config from "../../deno.json" with { type: "json" };
import { SERVER } from "../../routes/mcp.ts";
import { readCommand, startServer } from "../_server.ts";
import { CALLS, createClient, createToolError, MODES } from "./_client.ts";

/** Lists and calls every tool with a connected client. */
async function useEveryTool(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  assertEquals(
    tools.map(({ name }) => name),
    SERVER.tools.map(({ definition }) => definition.name),
  );
  for (const [name, args, expected] of CALLS) {
    // The client checks the result against the tool's output schema.
    const result = await client.callTool({ name, arguments: { ...args } });
    const { content, structuredContent, isError } = result;
    const text = JSON.stringify(structuredContent);
    if (expected instanceof RegExp) assertMatch(text, expected);
    else assertEquals(structuredContent, expected);
    assertEquals([content, isError], [[{ type: "text", text }], undefined]);
  }
  const { content, isError } = await client.callTool({
    name: "generateUuids",
    arguments: { count: 101 },
  });
  const error = '"count" must be an integer from 1 to 100, got 101';
  assertEquals({ content, isError: isError! }, createToolError(error));
}

for (const [revision, mode] of MODES) {
  Deno.test(`the official client uses every tool over HTTP, revision ${revision}`, async () => {
    await using server = await startServer();
    const client = createClient(mode);
    const url = new URL(`${server.origin}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url));
    assertEquals(client.getNegotiatedProtocolVersion(), revision);
    assertEquals(client.getServerVersion()?.version, config.version);
    await useEveryTool(client);
    await client.close();
    // No error was logged.
    assertEquals(server.log(), `listening on ${server.origin}\n`);
  });

  Deno.test(`the official client uses every tool over standard input and output, revision ${revision}`, async () => {
    const [, ...args] = readCommand("mcp");
    assert(!args.some((word) => word.startsWith("--allow")));
    const client = createClient(mode);
    const transport = new StdioClientTransport({
      command: Deno.execPath(),
      args,
      env: Deno.env.toObject(),
      stderr: "pipe",
    });
    await client.connect(transport);
    assertEquals(client.getNegotiatedProtocolVersion(), revision);
    await useEveryTool(client);
    await client.close();
  });
}
