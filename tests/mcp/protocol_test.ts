/** Streams, notifications, violations and headers of the protocol. */

import { assertEquals } from "@std/assert";
import { assertRefused, call } from "../_client.ts";
import { META, send } from "./_client.ts";

Deno.test("/mcp never opens an event stream", async (t) => {
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
  await t.step("for a client that accepts one", async () => {
    const { status, body } = await send(
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { accept: "text/event-stream" },
    );
    assertEquals({ status, body }, {
      status: 200,
      body: { jsonrpc: "2.0", id: 1, result: {} },
    });
  });
  await t.step(
    "for GET; and DELETE, which would end a session, is 405",
    async () => {
      for (const method of ["GET", "DELETE"]) {
        const answer = await call("/mcp", {
          method,
          headers: { accept: "text/event-stream" },
        });
        assertRefused(answer, 405, `the method must be POST, got "${method}"`);
        assertEquals(answer.headers.get("allow"), "POST");
      }
    },
  );
});

Deno.test("POST /mcp answers notifications and unexpected responses with 202", async () => {
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
    const { status, body } = await send(message);
    assertEquals({ status, body }, { status: 202, body: undefined });
  }
});

Deno.test("POST /mcp answers violations of the protocol with its error codes", async (t) => {
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
      "a missing header",
      list,
      { "mcp-protocol-version": "2026-07-28" },
      400,
      -32020,
    ],
    [
      "a header that contradicts the body",
      list,
      { ...newest, "mcp-method": "ping" },
      400,
      -32020,
    ],
    [
      "a future revision",
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
      "a revision that does not exist",
      { ...list, params: {} },
      { "mcp-protocol-version": "1999-01-01" },
      400,
      -32000,
    ],
    ["a fraction as identifier", { ...list, id: 1.5 }, {}, 400, -32600],
    ["an array as parameters", { ...list, params: [] }, {}, 400, -32600],
    [
      "an array as arguments",
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
      "a call without the name of a tool",
      { ...list, method: "tools/call", params: {} },
      {},
      200,
      -32602,
    ],
  ];
  for (const [name, message, headers, status, code] of rows) {
    await t.step(name, async () => {
      const answer = await send(message, headers);
      const { error } = answer.body;
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
