/**
 * Messages of every method and protocol version, and every kind of error. The table was
 * recorded from the official server package, version 2.4.0. Unlike that package, this service
 * ignores unused properties, names an unknown method, lists the tools if one is unknown,
 * offers no subscriptions, rejects cursors, accepts an empty array as an empty object, and
 * returns invalid arguments as a result, because models read only results.
 */

import { assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { MCP_SERVER } from "../../routes/mcp.ts";
import {
  createToolError,
  fitHeaders,
  send,
  sendLines,
  toPayload,
} from "./_agent.ts";
import { ask, ask2026, describe, ENCODE, PING, PREFIX } from "./_messages.ts";

function initialize(protocolVersion: string) {
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return ask("initialize", params);
}

const SERVER_INFO = {
  name: "devutils",
  title: "Developer Utilities",
  description:
    "Base64, hashes, UUIDs, passwords, and JSON, with exact results.",
  version: config.version,
};
const { instructions } = MCP_SERVER;
const capabilities = { tools: {} };
const COMMON_2026 = {
  resultType: "complete",
  _meta: { [`${PREFIX}serverInfo`]: SERVER_INFO },
};
const CACHEABLE_2026 = {
  ttlMs: 3_600_000,
  cacheScope: "public",
  ...COMMON_2026,
};

function initialized(protocolVersion: string) {
  const serverInfo = SERVER_INFO;
  return { protocolVersion, capabilities, serverInfo, instructions };
}

const ENCODED = {
  content: [{ type: "text", text: '{"result":"YQ=="}' }],
  structuredContent: { result: "YQ==" },
};
const FAIL = { name: "generateUuids", arguments: { count: 0 } };
const FAILED = createToolError(
  '"count" must be an integer from 1 to 100, got 0',
);

const LISTED = { tools: MCP_SERVER.tools.map(({ definition }) => definition) };
const NAMES = MCP_SERVER.tools.map(({ name }) => name).join(", ");
const NO_TOOL = `-32602 unknown tool: nothing; the tools are ${NAMES}`;
const NOTE = { jsonrpc: "2.0", method: "notifications/initialized" };
const AN_ID =
  '-32600 "id" must be a string of at most 1024 characters, or a safe integer, got';

/** A row of the table. */
type Row = readonly [
  name: string,
  message: unknown,
  /** Status over HTTP. */
  status: number,
  /** The result, the code and message of the error, or nothing. */
  expected: object | string | undefined,
];

const ROWS: readonly Row[] = [
  [
    "initialize 2024-10-07",
    initialize("2024-10-07"),
    200,
    initialized("2024-10-07"),
  ],
  [
    "initialize 2026-07-28",
    initialize("2026-07-28"),
    200,
    initialized("2025-11-25"),
  ],
  [
    "initialize without parameters",
    ask("initialize"),
    400,
    '-32602 "protocolVersion" must be a string, got nothing',
  ],
  [
    "initialize, 2026",
    ask2026("initialize"),
    404,
    '-32601 unknown method: "initialize"',
  ],
  [
    "server/discover without _meta",
    ask("server/discover"),
    400,
    `-32602 "_meta.${PREFIX}protocolVersion" must be a string, got nothing`,
  ],
  ["server/discover, 2026", ask2026("server/discover"), 200, {
    supportedVersions: ["2026-07-28"],
    capabilities,
    instructions,
    ...CACHEABLE_2026,
  }],
  ["ping", PING, 200, {}],
  ["ping, 2026", ask2026("ping"), 404, '-32601 unknown method: "ping"'],
  ["tools/list", ask("tools/list"), 200, LISTED],
  [
    "tools/list with null as cursor",
    ask("tools/list", { cursor: null }),
    200,
    LISTED,
  ],
  [
    "tools/list with a cursor, 2026",
    ask2026("tools/list", { cursor: "x" }),
    400,
    '-32602 "cursor" must be absent, because the list has only one page, got "x"',
  ],
  ["tools/list, 2026", ask2026("tools/list"), 200, {
    ...LISTED,
    ...CACHEABLE_2026,
  }],
  ["tools/call", ask("tools/call", ENCODE), 200, ENCODED],
  ["tools/call, 2026", ask2026("tools/call", ENCODE), 200, {
    ...ENCODED,
    ...COMMON_2026,
  }],
  ["tools/call that fails, 2026", ask2026("tools/call", FAIL), 200, {
    ...FAILED,
    ...COMMON_2026,
  }],
  [
    "tools/call of an unknown tool",
    ask("tools/call", { name: "sha256" }),
    200,
    `-32602 unknown tool: "sha256"; the tools are ${NAMES}`,
  ],
  ["tools/call without parameters", ask("tools/call"), 200, NO_TOOL],
  [
    "tools/call with an array as arguments",
    ask("tools/call", { ...ENCODE, arguments: ["a"] }),
    200,
    createToolError('"arguments" must be an object, got an array'),
  ],
  [
    "tools/call with an empty array as arguments",
    ask("tools/call", { ...ENCODE, arguments: [] }),
    200,
    createToolError('"action" must be "encode" or "decode", got nothing'),
  ],
  [
    "unknown method",
    ask("unheard/of"),
    200,
    '-32601 unknown method: "unheard/of"',
  ],
  ["notifications/initialized", NOTE, 202, undefined],
  [
    "notification with a string as parameters",
    { ...NOTE, params: "{}" },
    400,
    '-32600 "params" must be an object, got "{}"',
  ],
  [
    "notification without jsonrpc",
    { method: "notifications/initialized" },
    400,
    '-32600 "jsonrpc" must be "2.0", got nothing',
  ],
  ["response", { jsonrpc: "2.0", id: 7, result: {} }, 202, undefined],
  [
    "_meta with a future protocol version",
    ask2026("tools/list", {}, { [`${PREFIX}protocolVersion`]: "2030-01-01" }),
    400,
    '-32022 unsupported protocol version: "2030-01-01" {"supported":["2026-07-28"],"requested":"2030-01-01"}',
  ],
  [
    "_meta without capabilities",
    ask2026("tools/list", {}, { [`${PREFIX}clientCapabilities`]: undefined }),
    400,
    `-32602 "_meta.${PREFIX}clientCapabilities" must be an object, got nothing`,
  ],
  [
    "_meta with a number as capabilities",
    ask2026("tools/list", {}, { [`${PREFIX}clientCapabilities`]: 0 }),
    400,
    `-32602 "_meta.${PREFIX}clientCapabilities" must be an object, got 0`,
  ],
  ["null as parameters", { ...PING, params: null }, 200, {}],
  ["empty array as parameters", { ...PING, params: [] }, 200, {}],
  [
    "malformed JSON",
    "{]",
    400,
    '-32700 a message must be JSON: expected a name in double quotes, got "]" at line 1, column 2',
  ],
  [
    "not UTF-8",
    new Blob(['{"id":"', new Uint8Array([0xff]), '"}']),
    400,
    "-32700 a message must be UTF-8",
  ],
  [
    "batch",
    [PING, PING],
    400,
    "-32600 a message must be one JSON object, got an array",
  ],
  ["null as identifier", { ...PING, id: null }, 400, `${AN_ID} null`],
  [
    "long string as identifier",
    { ...PING, id: "a".repeat(1_025) },
    400,
    `${AN_ID} "${"a".repeat(39)}…"`,
  ],
  [
    "large number as identifier",
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    400,
    `${AN_ID} a number above 9007199254740991`,
  ],
];

/** Whether a message gets no response through stdin, even if it is invalid. */
function isNotification(message: unknown): boolean {
  const { id, method } = Object(message);
  return typeof method === "string" && id === undefined;
}

/** Returns the expected identifier of a response, or `undefined` without a response. */
function expectId(message: unknown, expected: unknown): unknown {
  if (expected === undefined) return undefined;
  const id = (message as { readonly id?: unknown }).id;
  const isShort = typeof id === "string" && id.length <= 1_024;
  return isShort || Number.isInteger(id) ? id : null;
}

Deno.test("a byte order mark before a message is skipped, over HTTP and before every line", async () => {
  const marked = `\ufeff${JSON.stringify(PING)}`;
  const response = await send(marked);
  assertEquals([response.status, describe(response.body)], [200, [7, {}]]);
  const lines = await sendLines(`${marked}\n\ufeff\r\n${marked}\n`);
  assertEquals(lines.map(describe), [[7, {}], [7, {}]]);
});

Deno.test("POST /mcp responds to every kind of message", async (t) => {
  for (const [name, message, status, expected] of ROWS) {
    await t.step(name, async () => {
      const response = await send(message, fitHeaders(message));
      const id = expectId(message, expected);
      assertEquals(describe(response.body), [id, expected]);
      assertEquals(response.status, status);
    });
  }
});

Deno.test("through stdin, the responses are the same in every session, except that notifications get none", async (t) => {
  const start = `${JSON.stringify(initialize("2025-11-25"))}\n`;
  for (const [name, message, , expectedOverHttp] of ROWS) {
    await t.step(name, async () => {
      const expected = isNotification(message) ? undefined : expectedOverHttp;
      const line = new Blob([toPayload(message), "\n"]);
      const [, second] = await sendLines(new Blob([start, line]));
      for (const response of [(await sendLines(line))[0], second]) {
        const id = expectId(message, expected);
        assertEquals(describe(response), [id, expected]);
      }
    });
  }
});
