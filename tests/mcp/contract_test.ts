/** Promises to agents that hold over HTTP and over standard input and output. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { MAX_RESULT_BYTES } from "../../lib/mcp/call.ts";
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

const TOOLS =
  "convertBase64, hashText, generateUuids, generatePassword, processJson";

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
    `unknown arguments "k0", "k1", "k2", "k3", "k4" and 59995 more: ${HASH}`,
  ],
  [
    "generateUuids",
    toArguments([..."abcde"]),
    `unknown arguments "a", "b", "c", "d", "e": ${UUIDS}`,
  ],
  [
    "generateUuids",
    toArguments([..."abcdef"]),
    `unknown arguments "a", "b", "c", "d", "e" and 1 more: ${UUIDS}`,
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
  ["generateUuids", { count: 1.5 }, `${COUNT} "1.5"`],
  ["generateUuids", { count: null }, `${COUNT} "null"`],
  ["generateUuids", { count: [1] }, `${COUNT} "an array"`],
  [
    "generatePassword",
    { symbols: "maybe" },
    '"symbols" must be "true" or "false", got "maybe"',
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

/** Objects that are not messages of JSON-RPC. */
const UNLIKE = [
  {},
  { ...PING, jsonrpc: "1.0" },
  { ...PING, id: null },
  { ...PING, id: 1.5 },
  { ...PING, id: {} },
  { ...PING, method: 5 },
  { ...PING, params: [] },
  { id: 1, method: "ping" },
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

  Deno.test(`an object that is not a JSON-RPC message is an error, ${transport}`, async () => {
    for (const message of UNLIKE) {
      const { error, result } = await exchange(message);
      assertEquals(result, undefined);
      assert([-32700, -32600].includes(error.code), JSON.stringify(message));
    }
  });

  Deno.test(`the server states its name, version and site, ${transport}`, async () => {
    const { result } = await exchange(INITIALIZE);
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
