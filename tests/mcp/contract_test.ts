/** Promises to agents that hold over HTTP and over standard input and output. */

import { assertEquals, assertMatch } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { MAX_RESULT_BYTES } from "../../lib/mcp/call.ts";
import { formatValue } from "../../lib/format_value.ts";
import { SERVER } from "../../routes/mcp.ts";
import { post } from "../_client.ts";
import { captureLog, replace } from "../_replace.ts";
import {
  callTool,
  createToolError,
  INITIALIZE,
  META,
  send,
  TRANSPORTS,
} from "./_client.ts";

const TOOLS = SERVER.tools.map(({ definition }) => definition.name).join(", ");

/** Returns an object with members of the given names. */
function toArguments(names: readonly string[]): object {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:1`)}}`);
}

const HASH = 'the arguments of hashText are "algorithm", "input"';
const UUIDS = 'the arguments of generateUuids are "count"';
const COUNT = '"count" must be an integer from 1 to 100, got';

/** Calls that are rejected, and their error messages. */
const REJECTED: readonly (readonly [string, object, text: string])[] = [
  ["generateUuids", { version: 7 }, `unknown argument "version": ${UUIDS}`],
  [
    "processJson",
    { action: "format", input: "{}", sortKeys: true },
    'unknown argument "sortKeys": the arguments of processJson are "action", "input", "indent"',
  ],
  [
    "hashText",
    { input: "a", b: 1, c: 2 },
    `unknown arguments "b", "c": ${HASH}`,
  ],
  [
    "hashText",
    toArguments(Array.from({ length: 60_000 }, (_, i) => `k${i}`)),
    `unknown arguments "k0", "k1", "k2", "k3", "k4" and more: ${HASH}`,
  ],
  [
    "generateUuids",
    toArguments([..."abcde"]),
    `unknown arguments "a", "b", "c", "d", "e": ${UUIDS}`,
  ],
  [
    "generateUuids",
    toArguments([..."abcdef"]),
    `unknown arguments "a", "b", "c", "d", "e" and more: ${UUIDS}`,
  ],
  [
    "generateUuids",
    toArguments(["__proto__"]),
    `unknown argument "__proto__": ${UUIDS}`,
  ],
  [
    "generateUuids",
    toArguments(["x".repeat(100)]),
    `unknown argument "${"x".repeat(39)}…": ${UUIDS}`,
  ],
  ["generateUuids", { count: 0 }, `${COUNT} 0`],
  ["generateUuids", { count: 101 }, `${COUNT} 101`],
  ["generateUuids", { count: 1.5 }, `${COUNT} 1.5`],
  ["generateUuids", { count: "10" }, `${COUNT} "10"`],
  ["generateUuids", { count: [1] }, `${COUNT} an array`],
  ["generateUuids", { count: {} }, `${COUNT} an object`],
  ["generateUuids", { count: true }, `${COUNT} true`],
  ...["!@#", "true", "off", 1, [], {}].map((symbols) =>
    [
      "generatePassword",
      { symbols },
      `"symbols" must be true or false, got ${formatValue(symbols)}`,
    ] as const
  ),
  [
    "generatePassword",
    { uppercase: false, lowercase: false, numbers: false, symbols: false },
    'one of "uppercase", "lowercase", "numbers" and "symbols" must be true, got false for all',
  ],
  [
    "processJson",
    { action: "format", input: "[]", indent: "4" },
    '"indent" must be 2 or 4, got "4"',
  ],
  [
    "processJson",
    { action: null, input: "[]" },
    '"action" must be "format", "minify" or "validate", got null',
  ],
  [
    "hashText",
    { algorithm: "md5", input: "a" },
    '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
  ],
  [
    "processJson",
    { action: "minify", input: "[1 2]" },
    '"input" must be JSON: expected "," or "]", got "2" at line 1, column 4',
  ],
];

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const NOT_UTF8 = new Blob(['{"id":"', new Uint8Array([0xff]), '"}']);

/** Invalid messages, the codes of their errors, and the messages of these. */
const INVALID: readonly (readonly [unknown, code: number, RegExp])[] = [
  ["{]", -32700, /^a message must be JSON: .* column 2$/],
  ['{"jsonrpc":"2.0","id":1.,"method":"ping"}', -32700, /must be JSON: /],
  [`\ufeff${JSON.stringify(PING)}`, -32700, /U\+FEFF/],
  [NOT_UTF8, -32700, /^a message must be UTF-8$/],
  [[PING, PING], -32600, /^a message must be one JSON object, got an array$/],
  [[], -32600, /^a message must be one JSON object, got an array$/],
  ['"ping"', -32600, /^a message must be one JSON object, got "ping"$/],
];

const AN_ID = '"id" must be a string or a safe integer, got';

/** Objects that are not messages of JSON-RPC, the identifiers of their errors, and the messages of these. */
const MALFORMED: readonly (readonly [
  message: object | string,
  id: unknown,
  text: string,
])[] = [
  [{}, null, '"jsonrpc" must be "2.0", got nothing'],
  [{ id: 1, method: "ping" }, 1, '"jsonrpc" must be "2.0", got nothing'],
  [{ ...PING, jsonrpc: "1.0" }, 1, '"jsonrpc" must be "2.0", got "1.0"'],
  [{ ...PING, id: null }, null, `${AN_ID} null`],
  [{ ...PING, id: 1.5 }, null, `${AN_ID} 1.5`],
  [{ ...PING, id: {} }, null, `${AN_ID} an object`],
  [
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    null,
    `${AN_ID} a number above 9007199254740991`,
  ],
  [
    '{"jsonrpc":"2.0","id":-9007199254740992,"method":"ping"}',
    null,
    `${AN_ID} a number below -9007199254740991`,
  ],
  [{ jsonrpc: "2.0", id: 1 }, 1, '"method" must be a string, got nothing'],
  [{ ...PING, method: 5 }, 1, '"method" must be a string, got 5'],
  [{ ...PING, params: [] }, 1, '"params" must be an object, got an array'],
  [{ ...PING, params: null }, 1, '"params" must be an object, got null'],
  [{ ...PING, result: {} }, 1, 'a message must have no member "result"'],
  [{ ...PING, params: { _meta: 5 } }, 1, '"_meta" must be an object, got 5'],
  [
    { ...PING, params: { _meta: { progressToken: [] } } },
    1,
    '"progressToken" must be a string or a safe integer, got an array',
  ],
  [
    { jsonrpc: "2.0", method: "notifications/initialized", params: [] },
    null,
    '"params" must be an object, got an array',
  ],
];

/** Methods with parameters that the official package rejects, and the errors' messages. */
const INVALID_PARAMS: readonly (readonly [string, unknown, text: string])[] = [
  ["tools/call", undefined, '"params" must be an object, got nothing'],
  ["tools/call", {}, '"name" must be a string, got nothing'],
  ["tools/call", { name: 5 }, '"name" must be a string, got 5'],
  [
    "tools/call",
    { name: "generateUuids", arguments: "{}" },
    '"arguments" must be an object, got "{}"',
  ],
  [
    "tools/call",
    { name: "generateUuids", arguments: [] },
    '"arguments" must be an object, got an array',
  ],
  [
    "tools/call",
    { name: "generateUuids", task: 1 },
    '"task" must be an object, got 1',
  ],
  ["initialize", undefined, '"params" must be an object, got nothing'],
  ["initialize", {}, '"protocolVersion" must be a string, got nothing'],
  [
    "initialize",
    { ...INITIALIZE.params, clientInfo: { name: 5 } },
    '"clientInfo.name" must be a string, got 5',
  ],
  ["tools/list", { cursor: 5 }, '"cursor" must be a string, got 5'],
];

/** Messages that must not be answered. */
const RESPONSES = [
  { jsonrpc: "2.0", id: 1, result: {} },
  { jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } },
  { jsonrpc: "2.0", id: 1, result: {}, error: {} },
  { id: 1.5, result: 1 },
  { error: null },
  // Above the limit of a message besides arguments, and parsed in steps.
  { jsonrpc: "2.0", id: 1, result: { text: "x".repeat(100_000) } },
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
  Deno.test(`a call that is rejected returns an error for the model, ${transport}`, async (t) => {
    for (const [name, args, text] of REJECTED) {
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
        message: `unknown tool: "${name}", the tools are ${TOOLS}`,
      });
    }
  });

  Deno.test(`a result of 1 MiB is returned, a larger one is an error that states its size and the HTTP endpoint, ${transport}`, async () => {
    const args = createArguments(MAX_RESULT_BYTES);
    const { result } = await exchange(callTool("processJson", args));
    const [{ text }] = result.content;
    assertEquals(text.length, MAX_RESULT_BYTES);
    assertEquals(JSON.parse(text), result.structuredContent);
    assertEquals(
      result.structuredContent,
      (await post("/api/json", args)).body,
    );
    for (
      const larger of [
        createArguments(MAX_RESULT_BYTES + 1),
        // 3 KB that become 8 MiB when indented.
        {
          action: "format",
          input: "[".repeat(1_440) + "]".repeat(1_440),
          indent: 4,
        },
      ]
    ) {
      const { result } = await exchange(callTool("processJson", larger));
      const { body } = await post("/api/json", larger);
      const { length } = JSON.stringify(body);
      assertEquals(
        result,
        createToolError(
          `the result would have ${length} bytes, a tool returns at most 1048576: for more, use POST /api/json of the service over HTTP`,
        ),
      );
    }
  });

  Deno.test(`an invalid message is an error without an identifier, ${transport}`, async (t) => {
    for (const [message, code, text] of INVALID) {
      await t.step(String(text), async () => {
        const { error, ...others } = await exchange(message);
        assertEquals(others, { jsonrpc: "2.0", id: null });
        assertEquals(error.code, code);
        assertMatch(error.message, text);
      });
    }
  });

  Deno.test(`an object that is not a JSON-RPC message is an error with its identifier, ${transport}`, async (t) => {
    for (const [message, id, text] of MALFORMED) {
      await t.step(text, async () => {
        const error = { code: -32600, message: text };
        assertEquals(await exchange(message), { jsonrpc: "2.0", id, error });
      });
    }
  });

  Deno.test(`invalid parameters of a method are an error that names them, ${transport}`, async (t) => {
    for (const [method, params, text] of INVALID_PARAMS) {
      await t.step(`${method}: ${text}`, async () => {
        const error = { code: -32602, message: text };
        const answer = await exchange({ ...PING, method, params });
        assertEquals(answer, { jsonrpc: "2.0", id: 1, error });
      });
    }
  });

  Deno.test(`an invalid member of _meta is an error that names it, ${transport}`, async () => {
    for (
      const [member, value, text] of [
        ["clientInfo", 5, "an object, got 5"],
        ["clientInfo", { name: 5 }, undefined],
        ["clientCapabilities", 0, "an object, got 0"],
        ["protocolVersion", 5, "a string, got 5"],
      ] as const
    ) {
      const name = `io.modelcontextprotocol/${member}`;
      const _meta = { ...META, [name]: value };
      const params = { name: "generateUuids", _meta };
      const answer = await exchange({ ...PING, method: "tools/call", params });
      const error = {
        code: -32602,
        message: text === undefined
          ? '"_meta" must be valid, got an object'
          : `"_meta.${name}" must be ${text}`,
      };
      assertEquals(answer, { jsonrpc: "2.0", id: 1, error });
    }
  });

  Deno.test(`a response or an error is not answered, ${transport}`, async () => {
    for (const message of RESPONSES) {
      assertEquals(await exchange(message), undefined, JSON.stringify(message));
    }
  });

  Deno.test(`the server states its name and version, ${transport}`, async () => {
    const { result } = await exchange(INITIALIZE);
    assertEquals(result.serverInfo, {
      name: "devutils",
      title: "Developer Utilities",
      description:
        "Base64, hashes, UUIDs, passwords and JSON, computed exactly.",
      version: config.version,
    });
    assertMatch(result.instructions, /give its result unchanged\.$/);
  });

  Deno.test(`absent and null arguments have their defaults, ${transport}`, async () => {
    for (const args of [undefined, null, {}, { count: null }]) {
      const { result } = await exchange(callTool("generateUuids", args));
      assertMatch(result.structuredContent.uuid, /^[0-9a-f-]{36}$/);
    }
    const format = { action: "format", input: "[1]", indent: null };
    const { result } = await exchange(callTool("processJson", format));
    assertEquals(result.structuredContent.result, "[\n  1\n]");
    const password = { length: null, symbols: null, numbers: true };
    const answer = await exchange(callTool("generatePassword", password));
    assertEquals(answer.result.structuredContent.password.length, 16);
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
      assertEquals([answer.id, answer.result.isError], [id, true]);
    }
  });
}

Deno.test("clients may cache server/discover and tools/list for an hour", async () => {
  for (const method of ["server/discover", "tools/list"]) {
    const { body: { result } } = await send(
      { jsonrpc: "2.0", id: 1, method, params: { _meta: META } },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": method },
    );
    assertEquals([result.ttlMs, result.cacheScope], [3_600_000, "public"]);
  }
});
