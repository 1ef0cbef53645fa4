/** Streams, notifications, violations and headers of the protocol. */

import { assert, assertEquals } from "@std/assert";
import { assertRefused, call } from "../_client.ts";
import { META, send } from "./_client.ts";

Deno.test("/mcp never opens an event stream", async () => {
  const accept = "text/event-stream";
  const listen = {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: { _meta: META, notifications: { toolsListChanged: true } },
  };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": listen.method,
  };
  const answer = await send(listen, { accept, ...headers });
  const error = { code: -32603, message: "Subscription limit reached" };
  assertEquals(answer.body, { jsonrpc: "2.0", id: 1, error });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const { body } = await send(ping, { accept });
  assertEquals(body, { jsonrpc: "2.0", id: 1, result: {} });
  // DELETE would end a session.
  for (const method of ["GET", "DELETE"]) {
    const answer = await call("/mcp", { method, headers: { accept } });
    assertRefused(answer, 405, `the method must be POST, got "${method}"`);
    assertEquals(answer.headers.get("allow"), "POST");
  }
});

Deno.test("POST /mcp answers notifications and unexpected responses with 202", async () => {
  for (
    const message of [
      { method: "notifications/initialized" },
      { method: "notifications/cancelled", params: { requestId: 1 } },
      { method: "unheard/of" },
      { id: 1, result: {} },
    ]
  ) {
    const { status, body } = await send({ jsonrpc: "2.0", ...message });
    assertEquals([status, body], [202, undefined]);
  }
});

Deno.test("POST /mcp answers violations of the protocol with its error codes", async (t) => {
  const params = { _meta: META };
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params };
  const version = { "mcp-protocol-version": "2026-07-28" };
  const newest = { ...version, "mcp-method": "tools/list" };
  const future = { "io.modelcontextprotocol/protocolVersion": "2030-01-01" };
  const toolCall = { ...list, method: "tools/call" };
  const uuids = { name: "generateUuids", arguments: [] };
  const rows: readonly (readonly [
    name: string,
    message: object,
    headers: HeadersInit,
    status: number,
    code: number,
  ])[] = [
    ["unknown method", { ...list, method: "x", params: {} }, {}, 200, -32601],
    [
      "unknown method, newest revision",
      { ...list, method: "x" },
      { ...version, "mcp-method": "x" },
      404,
      -32601,
    ],
    ["missing header", list, version, 400, -32020],
    ["another header", list, { ...newest, "mcp-method": "ping" }, 400, -32020],
    [
      "future revision",
      { ...list, params: { _meta: { ...META, ...future } } },
      { ...newest, "mcp-protocol-version": "2030-01-01" },
      400,
      -32022,
    ],
    [
      "revision that does not exist",
      { ...list, params: {} },
      { "mcp-protocol-version": "1999-01-01" },
      400,
      -32000,
    ],
    ["fraction as identifier", { ...list, id: 1.5 }, {}, 400, -32600],
    ["array as parameters", { ...list, params: [] }, {}, 400, -32600],
    ["array as arguments", { ...toolCall, params: uuids }, {}, 200, -32602],
    ["call without a tool", { ...toolCall, params: {} }, {}, 200, -32602],
  ];
  for (const [name, message, headers, status, code] of rows) {
    await t.step(name, async () => {
      const answer = await send(message, headers);
      const { id, error } = answer.body;
      const expected = name === "fraction as identifier" ? null : 1;
      assertEquals([answer.status, id, error.code], [status, expected, code]);
    });
  }
});

Deno.test("an error about Mcp-Protocol-Version has the identifier, and 40 characters of the header", async () => {
  for (const version of ["1999-01-01", "v".repeat(20_000)]) {
    const { status, body } = await send(
      { jsonrpc: "2.0", id: 7, method: "ping" },
      { "mcp-protocol-version": version },
    );
    assertEquals([status, body.id], [400, 7]);
    assert(JSON.stringify(body).length < 500);
  }
});
