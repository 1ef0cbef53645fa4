/**
 * The long fuzz test: the whole client matrix, 200,000 requests, 20,000 messages of
 * agents over HTTP and 4,000 sessions over standard input in process, 5,000
 * malformed exchanges over sockets; then the tests in process, with other random inputs.
 *
 * ```
 * deno task fuzz [seed of an earlier run] [--matrix: nothing else] [--deno=<binary of the server>]
 * ```
 */

// deno-lint-ignore-file no-console -- it prints a report

import { assert, assertEquals } from "@std/assert";
import { parseArgs } from "node:util";
import { fuzzHandler } from "./_fuzz.ts";
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

const [seed = crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1] =
  positionals.map(Number);
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

const tests = new Deno.Command(Deno.execPath(), {
  args: ["task", "quick"],
  env: { SEED: String(seed) },
});
const { success } = await tests.spawn().status;
assert(success, "a test in process fails with this seed");
console.log("every answer was right");
