/** The official client with `/mcp` and with `deno task mcp`. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  type Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import config from "../../deno.json" with { type: "json" };
import description from "../../routes/openapi.json" with { type: "json" };
import { post } from "../_client.ts";
import { startServer } from "../_server.ts";
import { CALLS, connect, createClient, MODES } from "./_client.ts";

/** Calls with invalid arguments, and the endpoint's error messages. */
const REJECTED: readonly [name: string, args: object, message: string][] = [
  [
    "convertBase64",
    { input: "a" },
    '"action" must be "encode" or "decode", got nothing',
  ],
  [
    "hashText",
    { algorithm: "md5", input: "a" },
    '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
  ],
  [
    "hashText",
    { algorithm: "sha1", input: "a", encoding: "base64" },
    'unknown argument "encoding": the arguments of hashText are "algorithm", "input"',
  ],
  [
    "generateUuids",
    { count: 101 },
    '"count" must be an integer from 1 to 100, got "101"',
  ],
  [
    "generateUuids",
    { count: 1.5 },
    '"count" must be an integer from 1 to 100, got "1.5"',
  ],
  [
    "generateUuids",
    { count: null },
    '"count" must be an integer from 1 to 100, got "null"',
  ],
  [
    "generateUuids",
    { count: [1] },
    '"count" must be an integer from 1 to 100, got "an array"',
  ],
  [
    "generatePassword",
    { length: 0 },
    '"length" must be an integer from 1 to 128, got "0"',
  ],
  [
    "generatePassword",
    { symbols: "maybe" },
    '"symbols" must be "true" or "false", got "maybe"',
  ],
  [
    "processJson",
    { action: "format", input: "[1]", indent: 3 },
    '"indent" must be 2 or 4, got 3',
  ],
  [
    "processJson",
    { action: "minify", input: "[1 2]" },
    '"input" must be JSON: expected "," or "]", got "2" at line 1, column 4',
  ],
];

/** Lists and calls every tool with a connected client. */
async function useEveryTool(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  assertEquals(
    tools.map(({ name }) => name),
    [
      "convertBase64",
      "hashText",
      "generateUuids",
      "generatePassword",
      "processJson",
    ],
  );
  for (const [name, args, expected] of CALLS) {
    // The client checks the result against the tool's output schema.
    const { content, structuredContent, isError } = await client.callTool({
      name,
      arguments: { ...args },
    });
    const text = JSON.stringify(structuredContent);
    if (expected instanceof RegExp) assertMatch(text, expected);
    else assertEquals(structuredContent, expected);
    assertEquals({ content, isError }, {
      content: [{ type: "text", text }],
      isError: undefined,
    });
  }
  for (const [name, args, text] of REJECTED) {
    const result = await client.callTool({ name, arguments: { ...args } });
    assertEquals(result.content, [{ type: "text", text }]);
    assertEquals(result.isError, true);
    assertEquals(result.structuredContent, undefined);
  }
  await assertRejects(
    () => client.callTool({ name: "sha256", arguments: {} }),
    Error,
    'unknown tool: "sha256", the tools are convertBase64, hashText, generateUuids, generatePassword, processJson',
  );
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
    const [deno, ...args] = config.tasks.mcp.command.split(" ");
    assertEquals([deno, args.join(" ")], ["deno", "run --no-prompt mcp.ts"]);
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

  Deno.test(`tools return the same results as their endpoints, revision ${revision}`, async (t) => {
    const client = await connect(mode);
    for (const [path, methods] of Object.entries(description.paths)) {
      const operation = "post" in methods ? methods.post : undefined;
      if (operation === undefined || path === "/mcp") continue;
      const { examples } = operation.requestBody.content["application/json"];
      for (const { value } of Object.values<{ value: object }>(examples)) {
        await t.step(`${path} ${JSON.stringify(value)}`, async () => {
          const { structuredContent } = await client.callTool({
            name: operation.operationId,
            arguments: { ...value },
          });
          assertEquals(structuredContent, (await post(path, value)).body);
        });
      }
    }
    await client.close();
  });
}
