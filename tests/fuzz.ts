/**
 * The long fuzz test: the whole client matrix, 200,000 requests, 20,000 messages of
 * agents over HTTP and 4,000 sessions over standard input in process, and 5,000
 * malformed exchanges over sockets.
 *
 * ```
 * deno task fuzz [seed of an earlier run] [--matrix: nothing else] [--deno=<binary of the server>]
 * ```
 */

// deno-lint-ignore-file no-console -- it prints a report

import { assertEquals } from "@std/assert";
import { parseArgs } from "node:util";
import { createSeed, fuzzHandler } from "./_fuzz.ts";
import { fuzzLines, fuzzMcp } from "./_fuzz_mcp.ts";
import { fuzzSockets } from "./_fuzz_sockets.ts";
import { runMatrix } from "./_matrix.ts";
import { startServer } from "./_server.ts";

const { values: { matrix, deno }, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    matrix: { type: "boolean", default: false },
    deno: { type: "string", default: Deno.execPath() },
  },
});

for (const isParallel of [false, true]) {
  await using server = await startServer({}, { isParallel, deno });
  const { count, failures } = await runMatrix(server);
  assertEquals(failures, []);
  const cores = isParallel ? "all cores" : "one core";
  console.log(`${count} ordinary exchanges on ${cores}`);
}
if (matrix) Deno.exit();

const [seed = createSeed()] = positionals.map(Number);
console.log(`seed ${seed}`);
await using server = await startServer({}, { deno });
const before = server.log();
const kinds = [
  ["requests in process", 200_000, fuzzHandler],
  ["messages of agents in process", 20_000, fuzzMcp],
  ["sessions of local agents", 4_000, fuzzLines],
  ["exchanges over sockets", 5_000, fuzzSockets.bind(null, server)],
] as const;
for (const [kind, numRuns, fuzz] of kinds) {
  const statuses = await fuzz({ seed, numRuns });
  const counts = [...statuses].toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`);
  console.log(`${numRuns} ${kind}: ${counts.join(", ")}`);
}
assertEquals(server.log(), before);
console.log("every answer was right");
