/**
 * Throughput, latency and memory of the service beside the floor (a bare
 * `Deno.serve` that does the same), Hono on Deno, and Fastify and Express on
 * Node: the same load on each in turn, round after round, so that noise hits all
 * alike. A ratio is the median of those of the rounds. Then one process against
 * all cores, and the time from the start of the process to its first answer.
 *
 * ```
 * deno task bench [--json] [--chart=FILE] [--filter=TEXT] [--rounds=5] [--seconds=1]
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
import { drawChart, type Group } from "./_chart.ts";
import { assertRight, hasWrk, measure, type Measurement } from "./_load.ts";
import { type Operation, OPERATIONS } from "./_operations.ts";

type Starter = (operation: Operation) => Promise<ServerProcess>;

/** Headers that service and floor have alike. */
const SAME_HEADERS = [
  "content-type",
  "access-control-allow-origin",
  "x-content-type-options",
  "cache-control",
];

/** What is measured on all cores too: little work and much. */
const PARALLEL_OPERATIONS = ["UUID", "JSON of 10 KB", "JSON of 500 KB"];

const COLD_STARTS = 20;

function locate(path: string): string {
  return new URL(path, import.meta.url).pathname;
}

function denoRun(script: string, ...args: string[]): Promise<ServerProcess> {
  return startProcess([
    Deno.execPath(),
    "run",
    `--lock=${locate("../tests/deno.lock")}`,
    "--no-prompt",
    "--allow-net=127.0.0.1",
    locate(script),
    ...args,
  ]);
}

/** The servers that are compared, the service first. */
const SERVERS: Readonly<Record<string, Starter>> = {
  service: () => startServer(),
  floor: ({ floor }) => denoRun("servers/floor.ts", floor),
  Hono: () => denoRun("servers/hono.ts"),
  Fastify: () => startProcess(["node", locate("node/fastify.js")]),
  Express: () => startProcess(["node", locate("node/express.js")]),
};

/** One process and all cores. */
const PARALLEL: Readonly<Record<string, Starter>> = {
  "all cores": () => startServer({}, { isParallel: true }),
  "one process": () => startServer(),
};

/** Medians of the rounds, and the median ratios of the first server to the others. */
export interface Result {
  readonly operation: string;
  readonly servers: Readonly<Record<string, Measurement>>;
  /** Requests per second. */
  readonly speedRatios: Readonly<Record<string, number>>;
  /** Resident size. */
  readonly memoryRatios: Readonly<Record<string, number>>;
}

async function compare(
  operation: Operation,
  starters: Readonly<Record<string, Starter>>,
): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const servers: [name: string, server: ServerProcess][] = [];
  for (const [name, start] of Object.entries(starters)) {
    servers.push([name, stack.use(await start(operation))]);
  }
  const runs: Record<string, Measurement[]> = {};
  for (const [name, server] of servers) {
    runs[name] = [];
    const headers = await assertRight(server, operation);
    if (name === "floor") await assertSameHeaders(headers, servers[0]![1]);
    await measure(server, operation, 1);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server] of servers) {
      runs[name]!.push(await measure(server, operation, seconds));
    }
    // Nobody always follows the same one.
    servers.push(...servers.splice(0, 2));
  }
  return summarize(operation, runs);
}

async function assertSameHeaders(
  headers: Headers,
  { origin }: ServerProcess,
): Promise<void> {
  const response = await fetch(`${origin}/api/uuid`);
  await response.body?.cancel();
  for (const header of SAME_HEADERS) {
    const ours = response.headers.get(header);
    const floors = headers.get(header);
    if (ours === null || ours !== floors) {
      throw new Error(`${header} differs: ${ours} and ${floors}`);
    }
  }
}

function summarize(
  { name }: Operation,
  runs: Readonly<Record<string, readonly Measurement[]>>,
): Result {
  const [[, ours], ...others] = Object.entries(runs) as [
    [string, Measurement[]],
    ...[string, Measurement[]][],
  ];
  function ratios(key: keyof Measurement): Record<string, number> {
    return Object.fromEntries(others.map(([other, runs]) => [
      other,
      median(ours.map((run, round) => run[key] / runs[round]![key])),
    ]));
  }
  function medians(runs: readonly Measurement[]): Measurement {
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
    ),
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

/** Milliseconds from the start of a process to its first answer, in turns. */
async function compareColdStarts(): Promise<
  { readonly serviceMs: number; readonly floorMs: number; ratio: number }
> {
  async function time(start: () => Promise<ServerProcess>): Promise<number> {
    const begin = performance.now();
    await using server = await start();
    const response = await fetch(`${server.origin}/api/uuid`);
    await response.json();
    return performance.now() - begin;
  }
  const [operation] = OPERATIONS;
  const times: { service: number; floor: number }[] = [];
  for (let round = 0; round <= COLD_STARTS; round += 1) {
    const service = await time(() => SERVERS["service"]!(operation!));
    const floor = await time(() => SERVERS["floor"]!(operation!));
    // The first fills the caches of both.
    if (round > 0) times.push({ service, floor });
  }
  return {
    serviceMs: median(times.map(({ service }) => service)),
    floorMs: median(times.map(({ floor }) => floor)),
    ratio: median(times.map(({ service, floor }) => service / floor)),
  };
}

function printResult({ operation, servers, speedRatios }: Result): void {
  const [first] = Object.keys(servers);
  console.log(
    `\n${operation.padEnd(24)}requests/s   p50 ms   p99 ms   MiB   ${first} is`,
  );
  for (const [name, figures] of Object.entries(servers)) {
    const ratio = speedRatios[name];
    console.log(
      `  ${name.padEnd(20)}` +
        figures.requestsPerSecond.toFixed(0).padStart(12) +
        figures.medianMs.toFixed(2).padStart(9) +
        figures.p99Ms.toFixed(2).padStart(9) +
        figures.residentMiB.toFixed(0).padStart(6) +
        (ratio === undefined ? "" : `   ${ratio.toFixed(2)} ×`),
    );
  }
}

/** Each operation's bars are relative to its fastest server. */
function toGroup({ operation, servers }: Result): Group {
  const speeds = Object.values(servers).map((figures) =>
    figures.requestsPerSecond
  );
  const fastest = Math.max(...speeds);
  return {
    label: operation,
    values: speeds.map((speed) => speed / fastest),
    note: `${Math.round(speeds[0]!).toLocaleString("en")} a second`,
  };
}

const { values: options } = parseArgs({
  args: Deno.args,
  options: {
    json: { type: "boolean", default: false },
    chart: { type: "string" },
    filter: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "1" },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);

if (!await hasWrk()) {
  console.error("wrk is missing: install it, such as by apt-get install wrk");
  Deno.exit(1);
}

const operations: Result[] = [];
for (const operation of OPERATIONS) {
  if (!operation.name.includes(options.filter)) continue;
  operations.push(await compare(operation, SERVERS));
  if (!options.json) printResult(operations.at(-1)!);
}
const parallel: Result[] = [];
for (const operation of OPERATIONS) {
  if (!PARALLEL_OPERATIONS.includes(operation.name)) continue;
  if (!operation.name.includes(options.filter)) continue;
  parallel.push(await compare(operation, PARALLEL));
  if (!options.json) printResult(parallel.at(-1)!);
}
const coldStart = await compareColdStarts();
if (options.json) {
  console.log(JSON.stringify({ operations, parallel, coldStart }, null, 2));
} else {
  const { serviceMs, floorMs, ratio } = coldStart;
  console.log(
    `\nfirst answer after ${serviceMs.toFixed(0)} ms, the floor's after ${
      floorMs.toFixed(0)
    } ms: ${ratio.toFixed(2)} ×`,
  );
}
if (options.chart) {
  const title = "Requests a second, relative to the fastest server";
  const chart = drawChart(
    title,
    Object.keys(SERVERS),
    operations.map(toGroup),
  );
  await Deno.writeTextFile(options.chart, chart);
}
