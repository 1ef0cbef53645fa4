/** A short fuzz test with a new seed in each run; see `deno task fuzz` for the long one. */

import { assert, assertEquals } from "@std/assert";
import { createSeed, fuzzHandler } from "./_fuzz.ts";
import { fuzzLines, fuzzMcp } from "./_fuzz_mcp.ts";
import { fuzzSockets } from "./_fuzz_sockets.ts";
import { startServer } from "./_server.ts";

const seed = createSeed();

Deno.test(`random requests get correct responses (seed ${seed})`, async () => {
  const statuses = await fuzzHandler({ seed, numRuns: 10_000 });
  for (const status of [200, 204, 400, 404, 405, 501]) {
    assert(statuses.has(status), `no request was answered with ${status}`);
  }
});

Deno.test(`random messages to /mcp get correct responses (seed ${seed})`, async () => {
  const statuses = await fuzzMcp({ seed, numRuns: 1_000 });
  for (const status of [200, 202, 400, 404]) {
    assert(statuses.has(status), `no message was answered with ${status}`);
  }
});

Deno.test(`random lines on standard input get correct answers (seed ${seed})`, async () => {
  const statuses = await fuzzLines({ seed, numRuns: 200 });
  for (const code of [0, -32700, -32600, -32601, -32602]) {
    assert(statuses.has(code), `no line was answered with ${code}`);
  }
});

Deno.test(`after malformed HTTP the next request is answered (seed ${seed})`, async () => {
  await using server = await startServer();
  const before = server.log();
  const statuses = await fuzzSockets(server, { seed, numRuns: 300 });
  assert(statuses.has(200) && statuses.has(400));
  assertEquals(server.log(), before);
});
