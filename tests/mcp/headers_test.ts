/** Messages over HTTP whose headers name a protocol version, a method, or a tool. */

import { assertEquals } from "@std/assert";
import { send } from "./_agent.ts";
import { ask, ask2026, describe, ENCODE, PING, PREFIX } from "./_messages.ts";

const VERSION = { "mcp-protocol-version": "2026-07-28" };
const LIST = { ...VERSION, "mcp-method": "tools/list" };
const NO_VERSION =
  `-32602 "_meta.${PREFIX}protocolVersion" must be a string, got nothing`;

const UNKNOWN_VERSION = "unsupported protocol version:";
const SUPPORTED =
  '{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05","2024-10-07"],"requested":';

/** Messages with headers. The official package reports `Bad Request: …` or `Invalid params: …`. */
const HEADER_ROWS: readonly (readonly [
  name: string,
  message: object,
  headers: HeadersInit,
  status: number,
  expected: object | string,
])[] = [
  [
    "an earlier version",
    PING,
    { "mcp-protocol-version": "2025-06-18" },
    200,
    {},
  ],
  [
    "an unknown version, for a session",
    ask("initialize", { protocolVersion: "2030-01-01" }),
    { "mcp-protocol-version": "v".repeat(50) },
    400,
    `-32022 ${UNKNOWN_VERSION} "${"v".repeat(39)}…" ${SUPPORTED}"${
      "v".repeat(50)
    }"}`,
  ],
  ["the newest version alone", ask("tools/list"), LIST, 400, NO_VERSION],
  [
    "no version",
    ask2026("tools/list"),
    {},
    400,
    '-32020 the MCP-Protocol-Version header must be "2026-07-28", got nothing',
  ],
  [
    "the newest version, but _meta a future one",
    ask2026("tools/list", {}, { [`${PREFIX}protocolVersion`]: "2030-01-01" }),
    LIST,
    400,
    '-32020 the MCP-Protocol-Version header must be "2030-01-01", got "2026-07-28"',
  ],
  [
    "no method",
    ask2026("tools/list"),
    VERSION,
    400,
    '-32020 the Mcp-Method header must be "tools/list", got nothing',
  ],
  [
    "another name",
    ask2026("tools/call", ENCODE),
    { ...VERSION, "mcp-method": "tools/call", "mcp-name": "hashText" },
    400,
    '-32020 the Mcp-Name header must be "convertBase64", got "hashText"',
  ],
];

Deno.test("POST /mcp compares a message with its headers", async (t) => {
  for (const [name, message, headers, status, expected] of HEADER_ROWS) {
    await t.step(name, async () => {
      const response = await send(message, headers);
      assertEquals(describe(response.body), [7, expected]);
      assertEquals(response.status, status);
    });
  }
});
