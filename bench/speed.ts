/**
 * Compares the service with the baseline (a bare `Deno.serve` with the same
 * operations), Hono on Deno, and Fastify and Express on Node: requests a second,
 * latency and resident size. Each server is loaded in turn, round after round, so
 * that noise on the machine affects all of them; a ratio is the median of the
 * ratios of the rounds. Then one process against all cores, and the time from the
 * start of the process to its first response.
 *
 * ```
 * deno task bench [--chart=FILE] [--filter=OPERATION] [--rounds=5] [--clients=32]
 * ```
 *
 * @module
 */

// deno-lint-ignore-file no-console -- the figures are the output

import { parseArgs } from "node:util";
import type { ServerProcess } from "../tests/_server.ts";
import { drawChart } from "./_chart.ts";
import { median, printFigure } from "./_figures.ts";
import { assertRight, hasWrk, measure, type Measurement } from "./_load.ts";
import { LARGE_OPERATIONS, type Operation, OPERATIONS } from "./_operations.ts";
import { PARALLEL, SERVERS, type Starter } from "./_servers.ts";

/** Headers of a response that a bare server must send with the values of the service. */
const SAME_HEADERS = [
  "content-type",
  "access-control-allow-origin",
  "x-content-type-options",
  "cache-control",
];

/** Operations that are also measured on all cores: little, some and much work. */
const PARALLEL_OPERATIONS = ["UUID", "JSON of 10 KB", "JSON of 500 KB"];

/** Length of a measurement, in seconds. */
const SECONDS = 1;

/** Number of starts whose time is measured. */
const STARTS = 20;

/** The medians of a server's rounds. */
interface Figures extends Measurement {
  /** Ratios of the first server to this one, in requests a second and in size. */
  readonly ratios: { readonly speed: number; readonly size: number };
}

/** The figures of one operation by server. */
interface Result {
  readonly operation: string;
  readonly servers: Readonly<Record<string, Figures>>;
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
  const load = { seconds: SECONDS, connections };
  for (const [name, server] of servers) {
    runs[name] = [];
    const headers = await assertRight(server, operation);
    if (name === "baseline") await assertSameHeaders(headers, servers[0]![1]);
    await measure(server, operation, load);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server] of servers) {
      runs[name]!.push(await measure(server, operation, load));
    }
    // Each round has another order.
    servers.push(...servers.splice(0, 2));
  }
  return summarize(operation, runs);
}

async function assertSameHeaders(
  baseline: Headers,
  { origin }: ServerProcess,
): Promise<void> {
  const service = await fetch(`${origin}/api/uuid`);
  await service.body?.cancel();
  for (const name of SAME_HEADERS) {
    if (service.headers.get(name) !== baseline.get(name)) {
      throw new Error(`service and baseline send another ${name}`);
    }
  }
}

function summarize(
  { name }: Operation,
  runs: Readonly<Record<string, readonly Measurement[]>>,
): Result {
  const [first] = Object.values(runs);
  function toFigures(runs: readonly Measurement[]): Figures {
    const medianOf = (key: keyof Measurement) =>
      median(runs.map((run) => run[key]));
    const ratioOf = (key: keyof Measurement) =>
      median(runs.map((run, round) => first![round]![key] / run[key]));
    return {
      requestsPerSecond: medianOf("requestsPerSecond"),
      medianMs: medianOf("medianMs"),
      p99Ms: medianOf("p99Ms"),
      residentMiB: medianOf("residentMiB"),
      ratios: {
        speed: ratioOf("requestsPerSecond"),
        size: ratioOf("residentMiB"),
      },
    };
  }
  return {
    operation: name,
    servers: Object.fromEntries(
      Object.entries(runs).map(([name, runs]) => [name, toFigures(runs)]),
    ),
  };
}

/** Prints the time from the start of a process to its first response. */
async function compareStarts(): Promise<void> {
  async function time(start: Starter): Promise<number> {
    const begin = performance.now();
    await using server = await start(OPERATIONS[0]!);
    const response = await fetch(`${server.origin}/api/uuid`);
    await response.json();
    return performance.now() - begin;
  }
  const { service, baseline } = SERVERS;
  const times: { service: number; baseline: number }[] = [];
  for (let round = 0; round <= STARTS; round += 1) {
    const row = {
      service: await time(service!),
      baseline: await time(baseline!),
    };
    // The first start fills the caches.
    if (round > 0) times.push(row);
  }
  for (const name of ["service", "baseline"] as const) {
    const figure = median(times.map((row) => row[name]));
    printFigure(`first response of the ${name}`, figure, { unit: "ms" });
  }
  const ratio = median(
    times.map(({ service, baseline }) => service / baseline),
  );
  printFigure("ratio", ratio, { unit: "×", digits: 2 });
}

function printResult({ operation, servers }: Result): void {
  const [first] = Object.keys(servers);
  console.log(
    `\n${
      operation.padEnd(24)
    }requests/s   p50 ms   p99 ms   MiB   ${first}: speed, size`,
  );
  for (const [name, figures] of Object.entries(servers)) {
    const { speed, size } = figures.ratios;
    console.log(
      `  ${name.padEnd(20)}` +
        figures.requestsPerSecond.toFixed(0).padStart(12) +
        figures.medianMs.toFixed(2).padStart(9) +
        figures.p99Ms.toFixed(2).padStart(9) +
        figures.residentMiB.toFixed(0).padStart(6) +
        (name === first ? "" : `   ${speed.toFixed(2)} × ${size.toFixed(2)} ×`),
    );
  }
}

/** Compares servers in the operations whose name contains the filter. */
async function compareAll(
  operations: readonly Operation[],
  starters: Readonly<Record<string, Starter>>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const operation of operations) {
    if (!operation.name.includes(options.filter)) continue;
    const result = await compare(operation, starters);
    printResult(result);
    results.push(result);
  }
  return results;
}

/** Draws the speeds, each relative to the fastest server of its operation. */
function drawSpeeds(results: readonly Result[]): string {
  const groups = results.map(({ operation, servers }) => {
    const speeds = Object.values(servers).map((row) => row.requestsPerSecond);
    const fastest = Math.max(...speeds);
    return {
      label: operation,
      values: speeds.map((speed) => speed / fastest),
      note: `${Math.round(speeds[0]!).toLocaleString("en")} a second`,
    };
  });
  const title = "Requests a second, relative to the fastest server";
  return drawChart(title, Object.keys(SERVERS), groups);
}

const { values: options } = parseArgs({
  options: {
    chart: { type: "string" },
    filter: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    clients: { type: "string", default: "32" },
  },
});
const rounds = Number(options.rounds);
const connections = Number(options.clients);

if (!await hasWrk()) {
  console.error("wrk is missing: install it, such as by apt-get install wrk");
  Deno.exit(1);
}
const results = await compareAll(OPERATIONS, SERVERS);
if (options.chart) {
  await Deno.writeTextFile(options.chart, drawSpeeds(results));
}
await compareAll(LARGE_OPERATIONS, SERVERS);
await compareAll(
  OPERATIONS.filter(({ name }) => PARALLEL_OPERATIONS.includes(name)),
  PARALLEL,
);
await compareStarts();
