/** The bound of a formatted text, which a small text with deep nesting exceeds. */

import { assert, assertEquals } from "@std/assert";
import { assertRefused, post } from "../_client.ts";

/** Creates fields whose result has a number of bytes. */
function createFields(byteLength: number) {
  const deep = `${"[".repeat(1_400)}${"]".repeat(1_400)}`;
  const measure = (text: string) =>
    JSON.stringify(JSON.parse(`["${text}",${deep}]`), null, 4).length;
  const text = "x".repeat(byteLength - measure(""));
  const input = `["${text}",${deep}]`;
  assert(input.length < 1_000_000);
  return { action: "format", input, indent: 4 };
}

Deno.test("POST /api/json formats texts up to a result of 8 MiB", async () => {
  const { status, body } = await post("/api/json", createFields(8_388_608));
  assertEquals(status, 200);
  assertEquals(String(body!["result"]).length, 8_388_608);
  assertRefused(
    await post("/api/json", createFields(8_388_609)),
    400,
    '"input" must give a result of at most 8388608 bytes, got 8388609',
  );
  const input = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  assertRefused(
    await post("/api/json", { action: "format", input, indent: 4 }),
    400,
    '"input" must give a result of at most 8388608 bytes, got 39999600002',
  );
  const minified = await post("/api/json", { action: "minify", input });
  assertEquals(minified.body, { result: input, valid: true });
});
