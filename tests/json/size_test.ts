/** The size limit of formatted JSON, which a small input with deep nesting exceeds. */

import { assertEquals } from "@std/assert";
import { assertError, post } from "../_client.ts";

const KIB = 1_024;

/** Creates arrays in arrays. */
function nest(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

/**
 * Creates fields whose input has `length` characters, and whose result has `byteLength`
 * bytes.
 */
function createFields(length: number, byteLength: number) {
  // Each level adds two lines, of which the deepest have 4 spaces for each level.
  const deep = nest(Math.floor(Math.sqrt(byteLength / 4)) - 4);
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

Deno.test("POST /api/json finds the size of formatted JSON before it is built, and minifies any depth", async () => {
  const input = `${nest(100_000)} `;
  const limit = 512 * KIB + 24 * 200_001;
  assertError(
    await post("/api/json", { action: "format", input, indent: 4 }),
    400,
    `"input" must produce a result of at most ${limit} bytes, got 39999600002`,
  );
  const minified = await post("/api/json", { action: "minify", input });
  assertEquals(minified.body, { result: input.trim(), valid: true });
});
