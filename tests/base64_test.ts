import { assert, assertEquals } from "@std/assert";
import { encodeBase64 as encodeBytes } from "@std/encoding/base64";
import fc, { times } from "./_property.ts";
import { anyText } from "./_text.ts";
import { decodeForgivingBase64, encodeBase64 } from "../lib/base64.ts";
import { checkPost } from "./_fuzz.ts";
import { createHandler } from "../routes/mod.ts";
import { post } from "./_client.ts";
import { callTool, send } from "./mcp/_client.ts";

const PATH = "/api/base64";

const utf8Encoder = new TextEncoder();

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

Deno.test("decodeForgivingBase64() writes to a buffer in which the bytes fit", () => {
  const buffer = new Uint8Array(3_000);
  for (const length of [2_998, 2_999, 3_000, 3_001, 1_000]) {
    const expected = crypto.getRandomValues(new Uint8Array(length));
    for (const variant of ["standard", "url"] as const) {
      const text = encodeBase64(expected, variant);
      const bytes = decodeForgivingBase64(text, buffer);
      assertEquals(bytes, expected);
      assertEquals(bytes.buffer === buffer.buffer, length <= 3_000);
    }
  }
});

Deno.test("POST /api/base64 remembers nothing of a longer text", async () => {
  for (const length of [900_000, 400_000, 3_000, 3_001, 5]) {
    const input = `${length}é`.repeat(length).slice(0, length);
    await checkPost(PATH, { action: "encode", input });
    const encoded = encodeBase64(input.slice(0, 600_000));
    await checkPost(PATH, { action: "decode", input: encoded });
  }
});

Deno.test("POST /api/base64 agrees with node:buffer and atob", async () => {
  const input = fc.oneof(
    anyText(),
    fc.string({
      unit: fc.constantFrom(..."AZaz09+/-_= \n\t\f\r!é"),
      maxLength: 12,
    }),
  );
  const fields = fc.record({
    action: fc.constantFrom("encode", "decode"),
    input,
    variant: fc.constantFrom(undefined, "standard", "url"),
  });
  await fc.assert(
    fc.asyncProperty(fields, (fields) => checkPost(PATH, fields)),
    { numRuns: times(1_000) },
  );
});

Deno.test("POST /api/base64 decodes large texts to their last byte, and rejects those that are cut off", async () => {
  // The results are written in parts of 1 and 16 KiB.
  for (const length of [32_767, 32_768, 33_000, 33_791, 49_150, 49_151]) {
    for (const end of ["a", "\0", "\x1b", "\x7f", "é", "€", "\ud7ff", "😀"]) {
      const text = "a".repeat(length) + end;
      const bytes = utf8Encoder.encode(text);
      await checkPost(PATH, { action: "decode", input: encodeBytes(bytes) });
      const input = encodeBytes(bytes.subarray(0, -1));
      await checkPost(PATH, { action: "decode", input });
    }
  }
});

Deno.test("POST /api/base64 holds few results that are not read, with many threads", async () => {
  const handler = createHandler({ threads: 64 });
  const fields = { action: "encode", input: "a".repeat(750_000) };
  // With a Host, as over HTTP/1.1, large bodies can wait.
  const headers = { host: "h" };
  const init = { method: "POST", headers, body: JSON.stringify(fields) };
  const responses: Response[] = [];
  const sending = Array.from({ length: 20 }, async () => {
    const response = await handler(new Request(`http://h${PATH}`, init));
    responses.push(response);
  });
  while (responses.length < 2) await new Promise((next) => setTimeout(next));
  for (let i = 0; i < 50; i += 1) await new Promise((next) => setTimeout(next));
  // Each result has 1,000,013 bytes, of the 16 MiB of a thread.
  assert(responses.length <= 16, `${responses.length} responses`);
  for (let i = 0; i < 20; i += 1) {
    while (responses.length === i) {
      await new Promise((next) => setTimeout(next));
    }
    assertEquals((await responses[i]!.json()).result.length, 1_000_000);
  }
  await Promise.all(sending);
});

Deno.test("a result of 11 to 32 KB that is not ASCII comes whole, to a tool call too", async () => {
  for (const count of [1, 10, 4_000]) {
    const result = "é".repeat(count) + "a".repeat(20_000);
    const input = new TextEncoder().encode(result).toBase64();
    const sent = { action: "decode", input };
    assertEquals((await post("/api/base64", sent)).body, { result });
    const { body } = await send(callTool("convertBase64", sent));
    assertEquals(body.result.structuredContent, { result });
  }
});
