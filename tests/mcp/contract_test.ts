/** Promises to agents that hold over HTTP and over standard input and output. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { MAX_RESULT_BYTES } from "../../lib/mcp/call.ts";
import { createTestHandler } from "../_client.ts";
import { captureLog, replace } from "../_replace.ts";
import { callTool, createToolError, META, TRANSPORTS } from "./_client.ts";

/** Calls with unknown arguments, and their error messages. */
const UNKNOWN: readonly [name: string, args: object, text: string][] = [
  [
    "generateUuids",
    { version: 7 },
    'unknown argument "version": the arguments of generateUuids are "count"',
  ],
  [
    "processJson",
    { action: "format", input: "{}", sortKeys: true },
    'unknown argument "sortKeys": the arguments of processJson are "action", "input", "indent"',
  ],
  [
    "convertBase64",
    { action: "encode", input: "a", urlSafe: true, padding: false },
    'unknown arguments "urlSafe", "padding": the arguments of convertBase64 are "action", "input", "variant"',
  ],
  [
    "hashText",
    { algorithm: "sha1", input: "a", encoding: "hex" },
    'unknown argument "encoding": the arguments of hashText are "algorithm", "input"',
  ],
  [
    "hashText",
    Object.fromEntries(
      Array.from({ length: 60_000 }, (_, i) => [`k${i}`, i]),
    ),
    'unknown arguments "k0", "k1", "k2", "k3", "k4" and 59995 more: the arguments of hashText are "algorithm", "input"',
  ],
  [
    "generateUuids",
    { a: 1, b: 1, c: 1, d: 1, e: 1 },
    'unknown arguments "a", "b", "c", "d", "e": the arguments of generateUuids are "count"',
  ],
  [
    "generateUuids",
    { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 },
    'unknown arguments "a", "b", "c", "d", "e" and 1 more: the arguments of generateUuids are "count"',
  ],
  [
    "generateUuids",
    JSON.parse('{"__proto__": 1}'),
    'unknown argument "__proto__": the arguments of generateUuids are "count"',
  ],
  [
    "generateUuids",
    { ["x".repeat(100)]: 1 },
    `unknown argument "${
      "x".repeat(39)
    }…": the arguments of generateUuids are "count"`,
  ],
];

/** Creates arguments of a call whose result has a given length; they are shorter. */
function createArguments(byteLength: number) {
  const numbers = Array(100_000).fill(0);
  const measure = (text: string) => {
    const result = JSON.stringify([...numbers, text], null, 2);
    return JSON.stringify({ result, valid: true }).length;
  };
  const text = "x".repeat(byteLength - measure(""));
  return { action: "format", input: JSON.stringify([...numbers, text]) };
}

for (const [transport, exchange] of TRANSPORTS) {
  Deno.test(`unknown arguments are rejected with an error that names them, ${transport}`, async (t) => {
    for (const [name, args, text] of UNKNOWN) {
      await t.step(text.slice(0, 60), async () => {
        const { result } = await exchange(callTool(name, args));
        assertEquals(result, createToolError(text));
      });
    }
  });

  Deno.test(`a call of an unknown tool is an error that lists the known tools, ${transport}`, async () => {
    for (const name of ["sha256", "constructor", ""]) {
      assertEquals((await exchange(callTool(name, {}))).error, {
        code: -32602,
        message: `unknown tool: ${
          JSON.stringify(name)
        }, the tools are convertBase64, hashText, generateUuids, generatePassword, processJson`,
      });
    }
  });

  Deno.test(`a result of exactly 1 MiB is returned, ${transport}`, async () => {
    const args = createArguments(MAX_RESULT_BYTES);
    const { result } = await exchange(callTool("processJson", args));
    const [{ text }] = result.content;
    assertEquals(text.length, MAX_RESULT_BYTES);
    assertEquals(result.structuredContent, {
      result: JSON.stringify(JSON.parse(args.input), null, 2),
      valid: true,
    });
    assertEquals(JSON.parse(text), result.structuredContent);
  });

  Deno.test(`a larger result is an error that states its size and the HTTP endpoint, ${transport}`, async (t) => {
    const rows = [
      ["one byte more", createArguments(MAX_RESULT_BYTES + 1)],
      // 3 KB that become 8 MiB when indented.
      ["1,440 nested arrays", {
        action: "format",
        input: "[".repeat(1_440) + "]".repeat(1_440),
        indent: 4,
      }],
    ] as const;
    for (const [name, args] of rows) {
      await t.step(name, async () => {
        const response = await createTestHandler()(
          new Request("http://localhost/api/json", {
            method: "POST",
            body: JSON.stringify(args),
          }),
        );
        const { byteLength } = await response.bytes();
        assert(byteLength > MAX_RESULT_BYTES);
        const { result } = await exchange(callTool("processJson", args));
        assertEquals(
          result,
          createToolError(
            `the result would have ${byteLength} bytes, a tool returns at most 1048576: for more, use POST /api/json of the service over HTTP`,
          ),
        );
      });
    }
  });

  Deno.test(`an invalid message is an error without an identifier, ${transport}`, async (t) => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const rows: readonly [
      name: string,
      message: unknown,
      code: number,
      message: RegExp,
    ][] = [
      ["broken JSON", "{]", -32700, /^a message must be JSON: .* column 2$/],
      [
        "a number with a point",
        `{"jsonrpc":"2.0","id":1.,"method":"ping"}`,
        -32700,
        /^a message must be JSON: /,
      ],
      [
        "a byte order mark",
        "\ufeff" + JSON.stringify(ping),
        -32700,
        /U\+FEFF/,
      ],
      [
        "a byte that is not UTF-8",
        new Blob([
          '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hashText","arguments":{"algorithm":"sha1","input":"',
          new Uint8Array([0xff]),
          '"}}}',
        ]),
        -32700,
        /^a message must be UTF-8$/,
      ],
      ["a batch", [ping, ping], -32600, /^a message must be one .* an array$/],
      ["an empty batch", [], -32600, /^a message must be one .* an array$/],
      ["a string", '"ping"', -32600, /^a message must be one .* "ping"$/],
    ];
    for (const [name, message, code, text] of rows) {
      await t.step(name, async () => {
        const { jsonrpc, id, error, ...others } = await exchange(message);
        assertEquals({ jsonrpc, id, code: error.code, others }, {
          jsonrpc: "2.0",
          id: null,
          code,
          others: {},
        });
        assertMatch(error.message, text);
      });
    }
  });

  Deno.test(`an object that is not a JSON-RPC message is an error, ${transport}`, async (t) => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    for (
      const message of [
        {},
        { ...ping, jsonrpc: "1.0" },
        { ...ping, id: null },
        { ...ping, id: 1.5 },
        { ...ping, id: {} },
        { ...ping, method: 5 },
        { ...ping, params: [] },
        { id: 1, method: "ping" },
      ]
    ) {
      await t.step(JSON.stringify(message), async () => {
        const { error, result } = await exchange(message);
        assertEquals(result, undefined);
        assert([-32700, -32600].includes(error.code), `code ${error.code}`);
      });
    }
  });

  Deno.test(`the server states its name, version and site, ${transport}`, async () => {
    const { result } = await exchange({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "test", version: "1.0.0" },
      },
    });
    assertEquals(result.serverInfo, {
      name: "devutils",
      title: "Developer Utilities",
      description:
        "Base64, hashes, UUIDs, passwords and JSON, computed exactly.",
      version: "0.1.0",
      websiteUrl: "https://jsr.io/@devutils/service",
    });
    assertMatch(result.instructions, /give its result unchanged\.$/);
  });

  Deno.test(`a call without arguments has the defaults, ${transport}`, async () => {
    const { result } = await exchange(callTool("generateUuids", undefined));
    assertMatch(result.structuredContent.uuid, /^[0-9a-f-]{36}$/);
  });

  Deno.test(`an unexpected failure is an internal error whose details are only logged, ${transport}`, async () => {
    using log = captureLog();
    using _ = replace(crypto.subtle, {
      digest() {
        throw new Error("the secret");
      },
    });
    const call = callTool("hashText", { algorithm: "sha1", input: "" });
    const { result } = await exchange(call);
    assertEquals(result, createToolError("internal error"));
    assertEquals(log.lines.length, 1);
    assertMatch(log.lines[0]![1], /^unexpected error: Error: the secret /);
  });

  Deno.test(`an answer has the identifier of its request, ${transport}`, async () => {
    for (const id of [0, -1, "", "é", 2 ** 53 - 1]) {
      const answer = await exchange(
        callTool("generateUuids", { count: 0 }, id),
      );
      assertEquals(answer.id, id);
      assertEquals(answer.result.isError, true);
    }
  });
}

Deno.test("clients may cache server/discover and tools/list for an hour", async () => {
  const handler = createTestHandler();
  const hints = [];
  for (const method of ["server/discover", "tools/list"]) {
    const response = await handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method,
          params: { _meta: META },
        }),
      }),
    );
    const { result: { ttlMs, cacheScope } } = await response.json();
    hints.push({ ttlMs, cacheScope });
  }
  const kept = { ttlMs: 3_600_000, cacheScope: "public" };
  assertEquals(hints, [kept, kept]);
});
