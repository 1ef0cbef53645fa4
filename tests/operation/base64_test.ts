/** The export `./base64`, and Base64 of large strings. */

import { assertEquals, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  Base64Error,
  decodeForgivingBase64,
  encodeBase64,
} from "../../lib/base64.ts";
import { post } from "../_client.ts";
import { replace } from "../_replace.ts";
import { callTool, send } from "../mcp/_agent.ts";

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
  const error = assertThrows(() => decodeForgivingBase64("a!b"), Base64Error);
  assertEquals([error.name, error.offset], ["Base64Error", 1]);
  const view = new Uint8Array([1, 0xff, 2]).subarray(1, 2);
  assertEquals(encodeBase64(view), "/w==");
});

Deno.test("decodeForgivingBase64() doesn't report a lack of memory as invalid input", () => {
  using _ = replace(Uint8Array, {
    fromBase64() {
      throw new RangeError("Array buffer allocation failed");
    },
  });
  const text = "Zm9v".repeat(1_000);
  assertThrows(() => decodeForgivingBase64(text), RangeError);
});

Deno.test("large strings are encoded and decoded to their last byte, over HTTP and by the tool", async () => {
  for (const length of [1, 49_151, 300_000]) {
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
