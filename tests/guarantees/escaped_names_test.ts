/**
 * V8's `JSON.parse()` can return an escaped name as a name of an earlier document, so the
 * service must not read requests with it.
 */

import { assertEquals } from "@std/assert";
import { call } from "../_client.ts";

/** Requests with an escaped name, and a body that replaces the name in `JSON.parse()`. */
const ROWS = [
  {
    name: "an escaped letter",
    path: "/api/json",
    body: String.raw`{"action":"format","input":"[1]","\u0069ndent":4}`,
    stranger: String.raw`{"action":"format","input":"[1]","\\u0069":0}`,
  },
  {
    name: "an escaped slash, as PHP writes it",
    path: "/mcp",
    body: String
      .raw`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":0,"io.modelcontextprotocol\/protocolVersion":"2030-01-01"}}}`,
    stranger: String
      .raw`{"jsonrpc":"2.0","method":"x","params":{"_meta":{"a":0,"io.modelcontextprotocol\\/protocolVersio":0}}}`,
  },
];

const HEADERS = { "mcp-protocol-version": "2030-01-01", "mcp-method": "ping" };

Deno.test("one request does not change how the names in another are read", async (t) => {
  for (const { name, path, body, stranger } of ROWS) {
    await t.step(name, async () => {
      const headers = path === "/mcp" ? HEADERS : new Headers();
      const post = (body: string) =>
        call(path, { method: "POST", headers, body });
      const first = await post(body);
      for (let i = 0; i < 3; i += 1) await post(stranger);
      const second = await post(body);
      assertEquals(
        [second.status, second.body],
        [first.status, first.body],
      );
    });
  }
});
