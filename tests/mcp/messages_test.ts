/**
 * Answers to messages of every method, of every revision of the protocol, and with every
 * kind of error. The table was recorded from the official server package, version 2.4.0.
 * Unlike that package, this service ignores members that it does not use, names an unknown
 * method, lists the tools if one is unknown, offers no subscriptions, rejects every cursor,
 * takes an empty array for an empty object, and returns wrong arguments as a result, since
 * a model reads only results.
 */

import { assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { MCP_SERVER } from "../../routes/mcp.ts";
import {
  createToolError,
  fitHeaders,
  send,
  sendLines,
  write,
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
  description: "Base64, hashes, UUIDs, passwords and JSON, computed exactly.",
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
const NO_TOOL = `-32602 unknown tool: nothing, the tools are ${NAMES}`;
const NOTE = { jsonrpc: "2.0", method: "notifications/initialized" };
const AN_ID =
  '-32600 "id" must be a string of at most 1024 characters, or a safe integer, got';

/** A row of the table. */
type Row = readonly [
  name: string,
  message: unknown,
  /** Status over HTTP. */
  status: number,
  /** The result, the code and the text of the error, or nothing. */
  answer: object | string | undefined,
];

const ROWS: readonly Row[] = [
  ...["2024-10-07", "2025-11-25"].map((revision): Row => [
    `initialize ${revision}`,
    initialize(revision),
    200,
    initialized(revision),
  ]),
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
    "initialize without a client",
    ask("initialize", { protocolVersion: "2025-11-25" }),
    200,
    initialized("2025-11-25"),
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
    "tools/list with an empty cursor",
    ask("tools/list", { cursor: "" }),
    400,
    '-32602 "cursor" must be absent, because the list has one page, got ""',
  ],
  [
    "tools/list with a cursor, 2026",
    ask2026("tools/list", { cursor: "x" }),
    400,
    '-32602 "cursor" must be absent, because the list has one page, got "x"',
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
  ["tools/call that fails", ask("tools/call", FAIL), 200, FAILED],
  ["tools/call that fails, 2026", ask2026("tools/call", FAIL), 200, {
    ...FAILED,
    ...COMMON_2026,
  }],
  [
    "tools/call of an unknown tool",
    ask("tools/call", { name: "sha256" }),
    200,
    `-32602 unknown tool: "sha256", the tools are ${NAMES}`,
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
    "tools/call with a member that is unknown",
    ask("tools/call", { ...ENCODE, other: 1 }),
    200,
    ENCODED,
  ],
  [
    "unknown method",
    ask("unheard/of"),
    200,
    '-32601 unknown method: "unheard/of"',
  ],
  ["notifications/initialized", NOTE, 202, undefined],
  [
    "notifications/cancelled",
    { ...NOTE, method: "notifications/cancelled", params: { requestId: 9 } },
    202,
    undefined,
  ],
  [
    "notification with a text as parameters",
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
    "response that is invalid",
    { id: 1.5, result: {}, error: null },
    202,
    undefined,
  ],
  [
    "_meta of a future revision",
    ask2026("tools/list", {}, { [`${PREFIX}protocolVersion`]: "2030-01-01" }),
    400,
    '-32022 unsupported protocol version: "2030-01-01" {"supported":["2026-07-28"],"requested":"2030-01-01"}',
  ],
  [
    "_meta with a number as revision",
    ask2026("tools/list", {}, { [`${PREFIX}protocolVersion`]: 5 }),
    400,
    `-32602 "_meta.${PREFIX}protocolVersion" must be a string, got 5`,
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
  [
    "_meta without a client",
    ask2026("ping", {}, { [`${PREFIX}clientInfo`]: undefined }),
    404,
    '-32601 unknown method: "ping"',
  ],
  ["null as parameters", { ...PING, params: null }, 200, {}],
  ["empty array as parameters", { ...PING, params: [] }, 200, {}],
  [
    "array as parameters",
    { ...PING, params: [1] },
    400,
    '-32600 "params" must be an object, got an array',
  ],
  ["empty array as _meta", ask("tools/list", { _meta: [] }), 200, LISTED],
  [
    "empty array as capabilities, 2026",
    ask2026("tools/call", ENCODE, { [`${PREFIX}clientCapabilities`]: [] }),
    200,
    { ...ENCODED, ...COMMON_2026 },
  ],
  [
    "broken JSON",
    "{]",
    400,
    '-32700 a message must be JSON: expected a name in double quotes, got "]" at line 1, column 2',
  ],
  [
    "two byte order marks",
    `\ufeff\ufeff${JSON.stringify(PING)}`,
    400,
    "-32700 a message must be JSON: expected a JSON value, got U+FEFF at line 1, column 1",
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
  ["empty object", {}, 400, '-32600 "jsonrpc" must be "2.0", got nothing'],
  ["null as identifier", { ...PING, id: null }, 400, `${AN_ID} null`],
  [
    "long text as identifier",
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

/** Whether a message is never answered over standard input, also with an error. */
function isNotification(message: unknown): boolean {
  const { id, method } = Object(message);
  return typeof method === "string" && id === undefined;
}

/** The identifier of the answer to a message; `undefined` if there is no answer. */
function expectId(message: unknown, answer: unknown): unknown {
  if (answer === undefined) return undefined;
  const id = (message as { readonly id?: unknown }).id;
  const isShort = typeof id === "string" && id.length <= 1_024;
  return isShort || Number.isInteger(id) ? id : null;
}

Deno.test("a byte order mark before a message is skipped, over HTTP and before every line", async () => {
  const marked = `\ufeff${JSON.stringify(initialize("2025-06-18"))}`;
  const answer = { jsonrpc: "2.0", id: 7, result: initialized("2025-06-18") };
  const response = await send(marked);
  assertEquals([response.status, response.body], [200, answer]);
  const blank = "\ufeff\r\n";
  const answers = await sendLines(`${marked}\n${blank}${marked}\n`);
  assertEquals(answers, [answer, answer]);
});

Deno.test("POST /mcp answers every kind of message", async (t) => {
  for (const [name, message, status, answer] of ROWS) {
    await t.step(name, async () => {
      const response = await send(message, fitHeaders(message));
      const expected = [expectId(message, answer), answer];
      assertEquals(describe(response.body), expected);
      assertEquals(response.status, status);
    });
  }
});

Deno.test("over standard input, the answers are the same in every session, but none is for a notification", async (t) => {
  const start = `${JSON.stringify(initialize("2025-11-25"))}\n`;
  for (const [name, message, , answerOverHttp] of ROWS) {
    await t.step(name, async () => {
      const answer = isNotification(message) ? undefined : answerOverHttp;
      const line = new Blob([write(message), "\n"]);
      const [, second] = await sendLines(new Blob([start, line]));
      for (const got of [(await sendLines(line))[0], second]) {
        assertEquals(describe(got), [expectId(message, answer), answer]);
      }
    });
  }
});
