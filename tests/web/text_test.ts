import { assertEquals } from "@std/assert";
import fc from "../_random.ts";
import { decodeBase64 } from "../../web/text.js";
import { decodeForgivingBase64 } from "../../lib/base64.ts";

Deno.test("decodeBase64() of the page reads what the service reads", () => {
  const inputs = fc.string({
    unit: fc.constantFrom(..."AZaz09+/-_= \n!"),
  });
  fc.assert(fc.property(inputs, (text) => {
    let expected: Uint8Array | undefined;
    try {
      expected = decodeForgivingBase64(text);
    } catch {
      // The service tells more apart: both alphabets in one text.
      if (/[-_]/.test(text) && /[+/]/.test(text)) return;
    }
    assertEquals(decodeBase64(text), expected);
  }));
  assertEquals(decodeBase64("_-8"), Uint8Array.of(0xff, 0xef));
  assertEquals(decodeBase64("*"), undefined);
});
