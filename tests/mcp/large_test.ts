/** Large results over HTTP, which are written past the official package. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { createTestHandler } from "../_client.ts";
import { callTool, META, send } from "./_client.ts";
import { LargeText } from "../../lib/mcp/large.ts";

/** Tools of which large results are asked, and their endpoints. */
const ENDPOINTS = {
  convertBase64: "/api/base64",
  processJson: "/api/json",
} as const;

const ODD = '😀"\\\n\u0000é'.repeat(20_000);

/** Characters at the end of each piece, so that some pieces would cut a pair. */
const PAIRS = ["", "x", "xx", "xxx"].map((start) =>
  JSON.stringify([`${start}${"😀".repeat(40_000)}`])
);

const CALLS: readonly (readonly [keyof typeof ENDPOINTS, object])[] = [
  ["processJson", {
    action: "format",
    input: "[".repeat(400) + "]".repeat(400),
  }],
  ["processJson", { action: "minify", input: JSON.stringify([ODD, ODD]) }],
  ...PAIRS.map((input) =>
    ["processJson", { action: "minify", input }] as const
  ),
  ["convertBase64", { action: "encode", input: ODD }],
  ["convertBase64", {
    action: "decode",
    input: btoa("\u0001".repeat(100_000)),
  }],
];

for (const revision of ["2025-11-25", "2026-07-28"]) {
  Deno.test(`large results are those of the endpoints, revision ${revision}`, async (t) => {
    for (const [i, [name, args]] of CALLS.entries()) {
      await t.step(`${name} ${i}`, async () => {
        const response = await createTestHandler()(
          new Request(`http://localhost${ENDPOINTS[name]}`, {
            method: "POST",
            body: JSON.stringify(args),
          }),
        );
        const text = await response.text();
        const call = callTool(name, args);
        const { status, body } = await send(
          revision === "2026-07-28"
            ? { ...call, params: { ...call.params, _meta: META } }
            : call,
          {
            "mcp-protocol-version": revision,
            "mcp-method": "tools/call",
            "mcp-name": name,
          },
        );
        const { content, structuredContent } = body.result;
        assertEquals({ status, content }, {
          status: 200,
          content: [{ type: "text", text }],
        });
        assertEquals(structuredContent, JSON.parse(text));
      });
    }
  });
}

Deno.test("no two texts have the same placeholder", () => {
  const [first, second] = [new LargeText("{}"), new LargeText("{}")];
  assertNotEquals(first.placeholder, second.placeholder);
  assertEquals(first.placeholder, first.placeholder);
});
