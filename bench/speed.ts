/**
 * Throughput, latency and memory of the service beside the floor (a bare
 * `Deno.serve` that does the same), Hono on Deno, and Fastify and Express on
 * Node: the same load on each in turn, round after round, so that noise hits all
 * alike. A ratio is the median of those of the rounds.
 *
 * ```
 * deno task bench [--json] [--chart=FILE] [--only=TEXT] [--rounds=5] [--seconds=2]
 * ```
 *
 * @module
 */

// deno-lint-ignore-file no-console -- a benchmark prints its figures

import { parseArgs } from "node:util";
import {
  type ServerProcess,
  startProcess,
  startServer,
} from "../tests/_server.ts";
import { drawChart } from "./_chart.ts";
import { assertRight, hasWrk, measure, type Measurement } from "./_load.ts";
import { type Operation, OPERATIONS } from "./_operations.ts";

/** Everything but the service itself, which stands first. */
const OTHERS = ["floor", "Hono", "Fastify", "Express"] as const;

type Name = "service" | (typeof OTHERS)[number];

/** Headers that service and floor have alike. */
const SAME_HEADERS = [
  "content-type",
  "access-control-allow-origin",
  "x-content-type-options",
  "cache-control",
];

function locate(path: string): string {
  return new URL(path, import.meta.url).pathname;
}

function denoRun(script: string, ...args: string[]): Promise<ServerProcess> {
  return startProcess([
    Deno.execPath(),
    "run",
    "--no-prompt",
    "--allow-net=127.0.0.1",
    locate(script),
    ...args,
  ]);
}

const STARTERS: Record<Name, (operation: Operation) => Promise<ServerProcess>> =
  {
    service: () => startServer(),
    floor: ({ floor }) => denoRun("servers/floor.ts", floor),
    Hono: () => denoRun("servers/hono.ts"),
    Fastify: () => startProcess(["node", locate("node/fastify.js")]),
    Express: () => startProcess(["node", locate("node/express.js")]),
  };

/** Medians of the rounds, and the median ratios of the service to the others. */
export interface Result {
  readonly operation: string;
  readonly servers: Record<Name, Measurement>;
  /** Requests per second. */
  readonly speedRatios: Record<string, number>;
  /** Resident size. */
  readonly memoryRatios: Record<string, number>;
}

async function compare(
  operation: Operation,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const names: Name[] = ["service", ...OTHERS];
  const servers = new Map<Name, ServerProcess>();
  for (const name of names) {
    servers.set(name, stack.use(await STARTERS[name](operation)));
  }
  await assertAlike(servers, operation);
  for (const server of servers.values()) await measure(server, operation, 1);

  const runs: Record<string, Measurement[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const run = await measure(servers.get(name)!, operation, seconds);
      (runs[name] ??= []).push(run);
    }
    // Nobody always follows the same one.
    names.push(...names.splice(0, 2));
  }
  return summarize(operation, runs);
}

async function assertAlike(
  servers: ReadonlyMap<Name, ServerProcess>,
  operation: Operation,
): Promise<void> {
  const answers = new Map<Name, Headers>();
  for (const [name, server] of servers) {
    answers.set(name, await assertRight(server, operation));
  }
  for (const header of SAME_HEADERS) {
    const ours = answers.get("service")!.get(header);
    const floors = answers.get("floor")!.get(header);
    if (ours === null || ours !== floors) {
      throw new Error(`${header} differs: ${ours} and ${floors}`);
    }
  }
}

function summarize(
  { name }: Operation,
  runs: Record<string, Measurement[]>,
): Result {
  const ours = runs["service"]!;
  function ratios(key: keyof Measurement): Record<string, number> {
    return Object.fromEntries(OTHERS.map((other) => [
      other,
      median(ours.map((run, round) => run[key] / runs[other]![round]![key])),
    ]));
  }
  function medians(runs: Measurement[]): Measurement {
    return {
      requestsPerSecond: median(runs.map((run) => run.requestsPerSecond)),
      medianMs: median(runs.map((run) => run.medianMs)),
      p99Ms: median(runs.map((run) => run.p99Ms)),
      residentMiB: median(runs.map((run) => run.residentMiB)),
    };
  }
  return {
    operation: name,
    servers: Object.fromEntries(
      Object.entries(runs).map(([name, runs]) => [name, medians(runs)]),
    ) as Record<Name, Measurement>,
    speedRatios: ratios("requestsPerSecond"),
    memoryRatios: ratios("residentMiB"),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function printResult({ operation, servers, speedRatios }: Result): void {
  console.log(
    `\n${operation.padEnd(22)} requests/s   p50 ms   p99 ms   MiB   service is`,
  );
  for (const [name, figures] of Object.entries(servers)) {
    const ratio = speedRatios[name];
    console.log(
      "  " + name.padEnd(20) +
        figures.requestsPerSecond.toFixed(0).padStart(11) +
        figures.medianMs.toFixed(2).padStart(9) +
        figures.p99Ms.toFixed(2).padStart(9) +
        figures.residentMiB.toFixed(0).padStart(6) +
        (ratio === undefined ? "" : `   ${ratio.toFixed(2)} ×`),
    );
  }
}

const { values: options } = parseArgs({
  args: Deno.args,
  options: {
    json: { type: "boolean", default: false },
    chart: { type: "string" },
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
  },
});

if (!await hasWrk()) {
  console.error("wrk is missing: install it, such as by apt-get install wrk");
  Deno.exit(1);
}

const results: Result[] = [];
for (const operation of OPERATIONS) {
  if (!operation.name.includes(options.only)) continue;
  const result = await compare(operation, {
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
  });
  results.push(result);
  if (!options.json) printResult(result);
}
if (options.json) console.log(JSON.stringify(results, null, 2));
if (options.chart) await Deno.writeTextFile(options.chart, drawChart(results));
