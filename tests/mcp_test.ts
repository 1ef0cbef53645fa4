/** `/mcp` and `deno task mcp`, as the official client and as hand-made messages see them. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Ajv2020 } from "ajv";
import config from "../deno.json" with { type: "json" };
import importMap from "../imports.json" with { type: "json" };
import { MAX_CHARACTERS, MAX_VALUES } from "../lib/mcp/message.ts";
import { ROUTES } from "../routes/mod.ts";
import description from "../routes/openapi.json" with { type: "json" };
import { assertRefused, call, createTestHandler, post } from "./_client.ts";
import {
  startArguments,
  startProcess,
  startServer,
  waitFor,
} from "./_server.ts";

/** The newest revision, and one of those that need a handshake. */
const MODES = [
  ["2026-07-28", { pin: "2026-07-28" }],
  ["2025-11-25", "legacy"],
] as const;

type Mode = (typeof MODES)[number][1];

function createClient(mode: Mode): Client {
  return new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
}

/** A client of the handler, in process, whose every answer is checked. */
async function connect(
  mode: Mode,
  handler = createTestHandler(),
): Promise<Client> {
  const client = createClient(mode);
  const url = new URL("http://localhost/mcp");
  async function fetch(url: string | URL, init?: RequestInit) {
    const response = await handler(new Request(url, init));
    assert(response.status < 500);
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(response.headers.get("cache-control"), "no-store");
    // Nothing is a stream.
    const type = response.body === null ? null : "application/json";
    assertEquals(response.headers.get("content-type"), type);
    return response;
  }
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  return client;
}

/** Tools of which large results are asked, and their endpoints. */
const ENDPOINTS = {
  convertBase64: "/api/base64",
  processJson: "/api/json",
} as const;

/** Calls of each tool, and what comes out; where it differs each time, its shape. */
const CALLS: readonly [
  name: string,
  args: object,
  expected: object | RegExp,
][] = [
  ["convertBase64", { action: "encode", input: "héllo" }, {
    result: "aMOpbGxv",
  }],
  ["convertBase64", { action: "decode", input: "aMOpbGxv" }, {
    result: "héllo",
  }],
  ["hashText", { algorithm: "sha1", input: "abc" }, {
    result: "a9993e364706816aba3e25717850c26c9cd0d89d",
    algorithm: "sha1",
  }],
  ["generateUuids", {}, /^\{"uuid":"[0-9a-f-]{36}"\}$/],
  ["generateUuids", { count: 1 }, /^\{"uuids":\["[0-9a-f-]{36}"\]\}$/],
  ["generateUuids", { count: 3 }, /^\{"uuids":\["[^"]+","[^"]+","[^"]+"\]\}$/],
  ["generatePassword", {}, /^\{"password":".{16}","strength":"very-strong"\}$/],
  [
    "generatePassword",
    { length: 8, uppercase: false, lowercase: false, symbols: false },
    /^\{"password":"[0-9]{8}","strength":"very-weak"\}$/,
  ],
  ["processJson", { action: "format", input: "[1.0]", indent: 4 }, {
    result: "[\n    1.0\n]",
    valid: true,
  }],
  ["processJson", { action: "validate", input: "[1,]" }, {
    result: 'expected a JSON value, got "]" at line 1, column 4',
    valid: false,
  }],
];

/** Calls that the endpoint refuses, and its message. */
const REFUSED: readonly [name: string, args: object, message: string][] = [
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
    '"count" must be an integer from 1 to 100, got "[1]"',
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

/** Lists and calls every tool with a client that is connected. */
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
    // The client checks the result by the schema of the tool.
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
  for (const [name, args, text] of REFUSED) {
    const result = await client.callTool({ name, arguments: { ...args } });
    assertEquals(result.content, [{ type: "text", text }]);
    assertEquals(result.isError, true);
    assertEquals(result.structuredContent, undefined);
  }
  await assertRejects(
    () => client.callTool({ name: "sha256", arguments: {} }),
    Error,
    'unknown tool: "sha256"',
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
    // Nothing went wrong behind its back.
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

  Deno.test(`what endpoints answer, tools answer, revision ${revision}`, async (t) => {
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

Deno.test("tools are the operations of openapi.json, with advice for models", async () => {
  const client = await connect("legacy");
  const { tools } = await client.listTools();
  const operations = Object.entries(description.paths)
    .filter(([path]) => path.startsWith("/api/"))
    .flatMap(([_path, methods]) => Object.values(methods));
  assertEquals(
    tools.map(({ name, title }) => [name, title]),
    operations.map(({ operationId, summary }) => [operationId, summary]),
  );
  for (const [i, { description, annotations }] of tools.entries()) {
    const operation = operations[i]!;
    assert(description!.startsWith(`${operation.summary}. Use it `));
    assert(description!.includes(": never "));
    assert(description!.endsWith(operation.description));
    const isRandom = ["generateUuids", "generatePassword"].includes(
      operation.operationId,
    );
    assertEquals(annotations, {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: !isRandom,
      openWorldHint: false,
    });
  }
  await client.close();
});

Deno.test("the schemas of the tools stand alone, and take what the endpoints take", async () => {
  const client = await connect({ pin: "2026-07-28" });
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { name, inputSchema, outputSchema } of tools) {
    assert(!JSON.stringify([inputSchema, outputSchema]).includes("$ref"));
    assertEquals([inputSchema.type, outputSchema?.type], ["object", "object"]);
    const isInput = ajv.compile(inputSchema);
    const isOutput = ajv.compile<unknown>(outputSchema as object);
    for (const [called, args, expected] of CALLS) {
      if (called !== name) continue;
      assert(isInput(args), `${name} ${JSON.stringify(args)}`);
      if (!(expected instanceof RegExp)) assert(isOutput(expected));
    }
    assert(!isOutput({}));
  }
  const [, , uuid, password] = tools;
  assert(!ajv.compile(uuid!.inputSchema)({ count: 101 }));
  assert(!ajv.compile(password!.inputSchema)({ symbols: "no" }));
  await client.close();
});

/** Sends a message by hand; the answer is JSON or nothing. */
async function send(
  message: unknown,
  headers: HeadersInit = {},
): Promise<{ status: number; body: unknown }> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  const response = await createTestHandler()(
    new Request("http://localhost/mcp", { method: "POST", headers, body }),
  );
  const text = await response.text();
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(
    response.headers.get("content-type"),
    text === "" ? null : "application/json",
  );
  return {
    status: response.status,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** What each request of the newest revision says of its client. */
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

Deno.test("POST /mcp takes a message from curl -d: no header is needed", async () => {
  const { status, body } = await send(
    {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: {
        name: "convertBase64",
        arguments: { action: "encode", input: "a" },
      },
    },
    { "content-type": "application/x-www-form-urlencoded", accept: "*/*" },
  );
  assertEquals({ status, body }, {
    status: 200,
    body: {
      jsonrpc: "2.0",
      id: 7,
      result: {
        content: [{ type: "text", text: '{"result":"YQ=="}' }],
        structuredContent: { result: "YQ==" },
      },
    },
  });
});

Deno.test("POST /mcp answers what is no message as JSON-RPC does", async (t) => {
  const tooLarge =
    `a message must have at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters besides the arguments of a call`;
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const rows: readonly [
    name: string,
    message: unknown,
    code: number,
    text: string,
  ][] = [
    [
      "nothing",
      "",
      -32700,
      "the body must be JSON: expected a JSON value, got the end of the text at line 1, column 1",
    ],
    [
      "garbage",
      "{]",
      -32700,
      'the body must be JSON: expected a name in double quotes, got "]" at line 1, column 2',
    ],
    [
      "a batch",
      [ping],
      -32600,
      "the body must be one JSON-RPC message, got an array",
    ],
    [
      "an empty batch",
      [],
      -32600,
      "the body must be one JSON-RPC message, got an array",
    ],
    ["a number", 5, -32600, "the body must be one JSON-RPC message, got 5"],
    ["null", null, -32600, "the body must be one JSON-RPC message, got null"],
    [
      "a huge identifier",
      { ...ping, id: "x".repeat(MAX_CHARACTERS) },
      -32600,
      tooLarge,
    ],
    [
      "a huge name",
      { ...ping, params: { ["x".repeat(MAX_CHARACTERS)]: 1 } },
      -32600,
      tooLarge,
    ],
    [
      "many values",
      { ...ping, params: Array(MAX_VALUES).fill(1) },
      -32600,
      tooLarge,
    ],
    [
      "arguments that are a list",
      { ...ping, params: { arguments: Array(MAX_VALUES).fill(1) } },
      -32600,
      tooLarge,
    ],
    [
      "deep nesting",
      `{"params":${"[".repeat(400_000)}${"]".repeat(400_000)}}`,
      -32600,
      tooLarge,
    ],
  ];
  for (const [name, message, code, text] of rows) {
    await t.step(name, async () => {
      assertEquals(await send(message), {
        status: 400,
        body: { jsonrpc: "2.0", id: null, error: { code, message: text } },
      });
    });
  }
});

Deno.test("docs/agents.md names the limits that the code has", async () => {
  const page = await Deno.readTextFile(
    new URL("../docs/agents.md", import.meta.url),
  );
  const claim = `A message may have ${
    MAX_VALUES.toLocaleString("en")
  } values and ${
    MAX_CHARACTERS.toLocaleString("en")
  } characters besides the arguments`;
  assert(page.replaceAll(/\s+/g, " ").includes(claim), claim);
});

Deno.test("POST /mcp takes what is just not too large", async () => {
  const id = "x".repeat(
    MAX_CHARACTERS - "jsonrpc2.0idmethodpingparamsa".length,
  );
  // The message itself, its four members, and the list.
  const params = { a: Array(MAX_VALUES - 6).fill(1) };
  const ping = { jsonrpc: "2.0", id, method: "ping", params };
  assertEquals(await send(ping), {
    status: 200,
    body: { jsonrpc: "2.0", id, result: {} },
  });
  for (
    const larger of [
      { ...ping, id: `${id}x` },
      { ...ping, params: { a: [...params.a, 1] } },
    ]
  ) {
    assertEquals((await send(larger)).status, 400);
  }
});

Deno.test("POST /mcp gives the endpoints arguments of any size and depth", async () => {
  async function callJson(args: string) {
    const { status, body } = await send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"processJson","arguments":${args}}}`,
    );
    assertEquals(status, 200);
    return (body as { result: Record<string, unknown> }).result;
  }
  const deep = "[".repeat(250_000) + "]".repeat(250_000);
  assertEquals(
    (await callJson(`{"action":"minify","input":"${deep}"}`))[
      "structuredContent"
    ],
    { result: deep, valid: true },
  );
  const rows = [
    [
      `{"action":"minify","input":${deep}}`,
      '"input" must be a string, got an array',
    ],
    [
      `{"action":"minify","input":[${"{},".repeat(300_000)}{}]}`,
      '"input" must be a string, got an array',
    ],
    // The runtime writes these in another way.
    [`{"0":1,"x":${deep}}`, "the arguments must not be nested so deeply"],
    [`{"toJSON":1,"x":${deep}}`, "the arguments must not be nested so deeply"],
  ] as const;
  for (const [args, text] of rows) {
    assertEquals(await callJson(args), {
      content: [{ type: "text", text }],
      isError: true,
    });
  }
});

Deno.test("POST /mcp gives large results as the endpoints answer them", async (t) => {
  const odd = '😀"\\\n\u0000é'.repeat(20_000);
  const rows = [
    ["processJson", {
      action: "format",
      input: "[".repeat(1_000) + "]".repeat(1_000),
    }],
    ["processJson", { action: "minify", input: JSON.stringify([odd, odd]) }],
    ["processJson", { action: "minify", input: `"${"😀".repeat(80_000)}"` }],
    ["processJson", { action: "minify", input: `" ${"😀".repeat(80_000)}"` }],
    ["convertBase64", { action: "encode", input: odd }],
    ["convertBase64", {
      action: "decode",
      input: btoa("\u0001".repeat(200_000)),
    }],
  ] as const;
  for (const [mode] of [["2025-11-25"], ["2026-07-28"]] as const) {
    for (const [i, [name, args]] of rows.entries()) {
      await t.step(`${name} ${i}, revision ${mode}`, async () => {
        const response = await createTestHandler()(
          new Request(`http://localhost${ENDPOINTS[name]}`, {
            method: "POST",
            body: JSON.stringify(args),
          }),
        );
        const text = await response.text();
        assert(text.length > 128 * 1024);
        const isNewest = mode === "2026-07-28";
        const params = { name, arguments: args };
        const { status, body } = await send({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: isNewest ? { ...params, _meta: META } : params,
        }, {
          ...(isNewest ? { "mcp-protocol-version": mode } : {}),
          "mcp-method": "tools/call",
          "mcp-name": name,
        });
        const { id, result } = body as { id: number; result: unknown };
        const { content, structuredContent } = result as CallToolResult;
        assertEquals({ status, id, content }, {
          status: 200,
          id: 1,
          content: [{ type: "text", text }],
        });
        assertEquals(structuredContent, JSON.parse(text));
      });
    }
  }
});

Deno.test("POST /mcp bounds what waits, and forgets it", async () => {
  const handler = createTestHandler();
  const input = `"${"x".repeat(1_000_000)}"`;
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "processJson", arguments: { action: "minify", input } },
  });
  const errors = new Set<string>();
  async function callLarge(): Promise<number> {
    const response = await handler(
      new Request("http://localhost/mcp", { method: "POST", body }),
    );
    const { status, headers } = response;
    const answer = await response.json();
    if (status === 503) {
      assertEquals(headers.get("retry-after"), "1");
      errors.add(answer.error);
    } else if (answer.result.isError) {
      // The endpoint itself found no room, and the tool says so.
      assertEquals(answer.result.content, [{
        type: "text",
        text: "too many large answers are being sent, please try again",
      }]);
    } else assertEquals(answer.result.structuredContent.valid, true);
    return status;
  }
  const statuses = await Promise.all(Array.from({ length: 40 }, callLarge));
  assertEquals([...new Set(statuses)].toSorted(), [200, 503]);
  assert(
    errors.has("too many large calls are being answered, please try again"),
  );
  // Those that found room took all of it.
  assertEquals(await callLarge(), 200);
});

Deno.test("POST /mcp bounds bodies as every endpoint does", async () => {
  const handler = createTestHandler({ maxBodyBytes: 100 });
  const body = JSON.stringify({ x: "x".repeat(100) });
  assertRefused(
    await call("/mcp", { method: "POST", body, handler }),
    413,
    "the body must be at most 100 bytes",
  );
});

Deno.test("POST /mcp opens no stream", async (t) => {
  const listen = {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: { _meta: META, notifications: { toolsListChanged: true } },
  };
  await t.step("for a subscription", async () => {
    const { status, body } = await send(listen, {
      "accept": "text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": listen.method,
    });
    assertEquals({ status, body }, {
      status: 200,
      body: {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32603, message: "Subscription limit reached" },
      },
    });
  });
  await t.step("for a client that wants one", async () => {
    const { status, body } = await send(
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { accept: "text/event-stream" },
    );
    assertEquals({ status, body }, {
      status: 200,
      body: { jsonrpc: "2.0", id: 1, result: {} },
    });
  });
  await t.step("for GET, and ends no session for DELETE", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await call("/mcp", {
        method,
        headers: { accept: "text/event-stream" },
      });
      assertRefused(answer, 405, `the method must be POST, got "${method}"`);
      assertEquals(answer.headers.get("allow"), "POST");
    }
  });
});

Deno.test("POST /mcp takes notifications and stray responses without a word", async () => {
  for (
    const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      {
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 1 },
      },
      { jsonrpc: "2.0", method: "unheard/of" },
      { jsonrpc: "2.0", id: 1, result: {} },
    ]
  ) {
    assertEquals(await send(message), { status: 202, body: undefined });
  }
});

Deno.test("POST /mcp answers breaches of the protocol as it says", async (t) => {
  const list = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: { _meta: META },
  };
  const newest = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
  };
  const rows: readonly [
    name: string,
    message: unknown,
    headers: HeadersInit,
    status: number,
    code: number,
  ][] = [
    [
      "an unknown method",
      { ...list, method: "x", params: {} },
      {},
      200,
      -32601,
    ],
    [
      "an unknown method, newest",
      { ...list, method: "x" },
      { ...newest, "mcp-method": "x" },
      404,
      -32601,
    ],
    [
      "a header that is missing",
      list,
      { "mcp-protocol-version": "2026-07-28" },
      400,
      -32020,
    ],
    [
      "a header that disagrees",
      list,
      { ...newest, "mcp-method": "ping" },
      400,
      -32020,
    ],
    [
      "a revision to come",
      {
        ...list,
        params: {
          _meta: {
            ...META,
            "io.modelcontextprotocol/protocolVersion": "2030-01-01",
          },
        },
      },
      { ...newest, "mcp-protocol-version": "2030-01-01" },
      400,
      -32022,
    ],
    [
      "a revision that never was",
      { ...list, params: {} },
      { "mcp-protocol-version": "1999-01-01" },
      400,
      -32000,
    ],
    ["an identifier that is a fraction", { ...list, id: 1.5 }, {}, 400, -32600],
    ["parameters that are a list", { ...list, params: [] }, {}, 400, -32600],
    [
      "arguments that are a list",
      {
        ...list,
        method: "tools/call",
        params: { name: "generateUuids", arguments: [] },
      },
      {},
      200,
      -32602,
    ],
    [
      "no name of a tool",
      { ...list, method: "tools/call", params: {} },
      {},
      200,
      -32602,
    ],
  ];
  for (const [name, message, headers, status, code] of rows) {
    await t.step(name, async () => {
      const answer = await send(message, headers);
      const { error } = answer.body as { error: { code: number } };
      assertEquals({ status: answer.status, code: error.code }, {
        status,
        code,
      });
    });
  }
});

Deno.test("a browser's preflight for /mcp allows the protocol's headers", async () => {
  const asked =
    "accept,authorization,content-type,last-event-id,mcp-method,mcp-name,mcp-protocol-version,mcp-session-id";
  const { status, headers } = await call("/mcp", {
    method: "OPTIONS",
    headers: {
      "origin": "https://example.com",
      "access-control-request-method": "POST",
      "access-control-request-headers": asked,
    },
  });
  assertEquals(status, 204);
  assertEquals(headers.get("access-control-allow-headers"), asked);
  assertEquals(headers.get("access-control-allow-methods"), "POST");
});

Deno.test("a failure in an endpoint is an internal error to an agent too", async () => {
  const client = await connect("legacy");
  const { subtle } = crypto;
  const { digest } = subtle;
  const { error } = console;
  const lines: string[] = [];
  // deno-lint-ignore no-console -- the log is looked at
  console.error = (line: string) => lines.push(line);
  subtle.digest = () => {
    throw new Error("the secret");
  };
  try {
    const result = await client.callTool({
      name: "hashText",
      arguments: { algorithm: "sha1", input: "" },
    });
    assertEquals(result.content, [{ type: "text", text: "internal error" }]);
    assertEquals(result.isError, true);
  } finally {
    subtle.digest = digest;
    // deno-lint-ignore no-console -- the log is looked at
    console.error = error;
  }
  assertEquals(lines.length, 1);
  assertMatch(lines[0]!, /^unexpected error: Error: the secret /);
});

/** Stands for the official package: says that it was loaded, and does nothing. */
const PACKAGE = `
  console.error("loaded");
  export class ProtocolError {}
  export {
    ProtocolError as createMcpHandler,
    ProtocolError as isLegacyRequest,
    ProtocolError as ProtocolErrorCode,
    ProtocolError as Server,
    ProtocolError as WebStandardStreamableHTTPServerTransport,
  };
`;

Deno.test("the official package is not loaded before /mcp is called", async () => {
  const stubbed = {
    ...importMap.imports,
    "@modelcontextprotocol/server": `data:text/javascript,${
      encodeURIComponent(PACKAGE)
    }`,
  };
  const map = encodeURIComponent(JSON.stringify({ imports: stubbed }));
  const [run, ...args] = startArguments();
  await using server = await startProcess([
    Deno.execPath(),
    run!,
    "--no-lock",
    "--cached-only",
    `--import-map=data:application/json,${map}`,
    ...args,
  ], { HOST: "127.0.0.1", PORT: "0", LOG_REQUESTS: "true" });
  async function fetchAndDrop(path: string, init: RequestInit = {}) {
    const response = await fetch(`${server.origin}${path}`, init);
    await response.body?.cancel();
  }
  for (const { pattern: { pathname }, method } of ROUTES) {
    if (pathname === "/mcp") continue;
    const init = method === "GET" ? {} : { method, body: "{}" };
    await fetchAndDrop(pathname, init);
  }
  for (
    const init of [{}, { method: "POST", body: "{]" }, { method: "OPTIONS" }]
  ) {
    await fetchAndDrop("/mcp", init);
  }
  await fetchAndDrop("/mcp", { method: "POST", body: "{}" });
  await waitFor(() => server.log().includes("POST /mcp 500"));
  const lines = server.log().split("\n");
  const isLoaded = lines.indexOf("loaded");
  const last = lines.findIndex((line) => line.startsWith("OPTIONS /mcp 204"));
  assert(last > ROUTES.length && isLoaded > last, server.log());
});
