/** Base64 of bytes and of large texts, which `_cases.ts` and `property_test.ts` do not have. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { decodeForgivingBase64, encodeBase64 } from "../lib/base64.ts";
import { post } from "./_client.ts";
import { callTool, send } from "./mcp/_client.ts";

Deno.test("encodeBase64() encodes bytes, which decodeForgivingBase64() returns", () => {
  const rows = [
    [[], "", ""],
    [[0xfb, 0xff, 0x00], "+/8A", "-_8A"],
    [[0xff], "/w==", "_w"],
  ] as const;
  for (const [values, standard, url] of rows) {
    const bytes = Uint8Array.from(values);
    assertEquals(encodeBase64(bytes), standard);
    assertEquals(encodeBase64(bytes, "url"), url);
    assertEquals(decodeForgivingBase64(url), bytes);
  }
  const view = new Uint8Array([1, 0xff, 2]).subarray(1, 2);
  assertEquals(encodeBase64(view), "/w==");
});

Deno.test("large texts are encoded and decoded to their last byte, over HTTP and by the tool", async () => {
  for (const length of [1, 20_000, 32_766, 49_151, 300_000]) {
    for (const end of ["", "\x7f", "é", "€", "😀"]) {
      const text = "a".repeat(length) + end;
      const encoded = Buffer.from(text).toString("base64");
      for (
        const [action, input, result] of [
          ["encode", text, encoded],
          ["decode", encoded, text],
        ] as const
      ) {
        const { body } = await post("/api/base64", { action, input });
        assertEquals(body, { result });
        const message = callTool("convertBase64", { action, input });
        const called = await send(message);
        assertEquals(called.body.result.structuredContent, { result });
      }
    }
  }
});
