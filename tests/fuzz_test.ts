/** A short fuzz test; see `deno task fuzz` for the long one. */

import { assert, assertEquals } from "@std/assert";
import { fuzzHandler } from "./_fuzz.ts";
import { fuzzLines, fuzzMcp } from "./_fuzz_mcp.ts";
import { fuzzSockets } from "./_fuzz_sockets.ts";
import { seed } from "./_property.ts";
import { startServer } from "./_server.ts";

/** Inputs, their number, and statuses or error codes that at least one response has. */
const KINDS = [
  ["requests", fuzzHandler, 10_000, [200, 204, 400, 404, 405, 501]],
  ["messages to /mcp", fuzzMcp, 1_000, [200, 202, 400, 404]],
  [
    "lines on standard input",
    fuzzLines,
    200,
    [0, -32700, -32600, -32601, -32602],
  ],
] as const;

for (const [kind, fuzz, numRuns, expected] of KINDS) {
  Deno.test(`random ${kind} get correct responses`, async () => {
    const statuses = await fuzz({ seed, numRuns });
    assertEquals(expected.filter((status) => !statuses.has(status)), []);
  });
}

Deno.test("after malformed HTTP the next request is answered", async () => {
  await using server = await startServer();
  const before = server.log();
  const statuses = await fuzzSockets(server, { seed, numRuns: 300 });
  assert(statuses.has(200) && statuses.has(400));
  assertEquals(server.log(), before);
});
