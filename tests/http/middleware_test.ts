// deno-lint-ignore-file no-console -- the console is replaced to see the log

import { assertEquals, assertMatch } from "@std/assert";
import { createTestHandler } from "../_client.ts";

/** Runs a function and returns the lines that it logged. */
async function captureLog(run: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const original = console.error;
  console.error = (line: string) => lines.push(line);
  try {
    await run();
  } finally {
    console.error = original;
  }
  return lines;
}

Deno.test("an unexpected error is hidden from the client and logged in one line", async () => {
  const handler = createTestHandler({
    isStopping() {
      throw new Error("the secret\nhas lines");
    },
  });
  const lines = await captureLog(async () => {
    const response = await handler(new Request("http://localhost/healthz"));
    assertEquals(response.status, 500);
    assertEquals(await response.json(), { error: "internal error" });
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(response.headers.get("x-content-type-options"), "nosniff");
    assertEquals(response.headers.get("content-type"), "application/json");
  });
  assertEquals(lines.length, 1);
  assertMatch(
    lines[0]!,
    /^unexpected error: Error: the secret \| has lines \| at .+$/,
  );
});

Deno.test("an expected error is not logged", async () => {
  const handler = createTestHandler();
  const lines = await captureLog(async () => {
    const response = await handler(new Request("http://localhost/nowhere"));
    assertEquals(response.status, 404);
  });
  assertEquals(lines, []);
});
