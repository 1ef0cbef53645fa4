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
import { fuzzHandler, type Statuses } from "./_fuzz.ts";
import { fuzzLines, fuzzMcp } from "./_fuzz_mcp.ts";
import { fuzzSockets } from "./_fuzz_sockets.ts";
import { runMatrix } from "./_matrix.ts";
import { startServer } from "./_server.ts";

const HANDLER_RUNS = 200_000;
const MESSAGE_RUNS = 20_000;
const SESSION_RUNS = 4_000;
const SOCKET_RUNS = 5_000;

const [given] = Deno.args.filter((argument) => !argument.startsWith("--"));
const seed = given === undefined
  ? crypto.getRandomValues(new Int32Array(1))[0]!
  : Number(given);
const [deno = Deno.execPath()] = Deno.args
  .filter((argument) => argument.startsWith("--deno="))
  .map((argument) => argument.slice("--deno=".length));

function report(kind: string, runs: number, statuses: Statuses): void {
  const counts = [...statuses].toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`);
  console.log(`${runs} ${kind}: ${counts.join(", ")}`);
}

for (const isParallel of [false, true]) {
  await using server = await startServer({}, { isParallel, deno });
  const { count, failures } = await runMatrix(server);
  assertEquals(failures, []);
  const cores = isParallel ? "all cores" : "one core";
  console.log(`${count} ordinary exchanges on ${cores}`);
}
if (Deno.args.includes("--matrix")) Deno.exit();

console.log(`seed ${seed}`);
report(
  "requests in process",
  HANDLER_RUNS,
  await fuzzHandler({ seed, numRuns: HANDLER_RUNS }),
);
report(
  "messages of agents in process",
  MESSAGE_RUNS,
  await fuzzMcp({ seed, numRuns: MESSAGE_RUNS }),
);
report(
  "sessions of local agents",
  SESSION_RUNS,
  await fuzzLines({ seed, numRuns: SESSION_RUNS }),
);

await using server = await startServer({}, { deno });
const before = server.log();
report(
  "exchanges over sockets",
  SOCKET_RUNS,
  await fuzzSockets(server, { seed, numRuns: SOCKET_RUNS }),
);
assertEquals(server.log(), before);
console.log("every answer was right");
