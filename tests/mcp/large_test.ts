/** Arguments and results of any size, past the official package. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { createTestHandler } from "../_client.ts";
import { META, send } from "./_client.ts";

/** Tools of which large results are asked, and their endpoints. */
const ENDPOINTS = {
  convertBase64: "/api/base64",
  processJson: "/api/json",
} as const;

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
      // The endpoint itself found no room, for what it is sent or for what it
      // answers, and the tool says so.
      const [{ type, text }] = answer.result.content;
      assertEquals(type, "text");
      assertMatch(
        text,
        /^too many large (bodies are arriving|answers are being sent), please try again$/,
      );
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
