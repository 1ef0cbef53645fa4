/** The size limit of formatted JSON, which a small input with deep nesting exceeds. */

import { assertEquals } from "@std/assert";
import { assertError, post } from "../_client.ts";

const KIB = 1_024;

/** Creates fields with an input of `length` characters and a result of `byteLength` bytes. */
function createFields(length: number, byteLength: number) {
  // Each level adds two lines, indented by 4 spaces per level.
  const levels = Math.floor(Math.sqrt(byteLength / 4)) - 4;
  const deep = "[".repeat(levels) + "]".repeat(levels);
  const text = (filler: string) => `["${filler}",${deep}]`;
  const result = JSON.stringify(JSON.parse(text("")), null, 4);
  const filler = "x".repeat(byteLength - result.length);
  return {
    action: "format",
    input: text(filler).padEnd(length),
    indent: 4,
  };
}

for (
  const [length, limit] of [
    [300_000, 512 * KIB + 24 * 300_000],
    [700_000, 8 * KIB * KIB],
  ] as const
) {
  Deno.test(`POST /api/json formats an input of ${length} bytes to at most ${limit}`, async () => {
    const { status, body } = await post(
      "/api/json",
      createFields(length, limit),
    );
    assertEquals(status, 200);
    assertEquals(String(body!["result"]).length, limit);
    assertError(
      await post("/api/json", createFields(length, limit + 1)),
      400,
      `"input" must produce a result of at most ${limit} bytes, got ${
        limit + 1
      }`,
    );
  });
}
