/**
 * Compares the service with a bare server that does the same work, Hono, Fastify, and Express.
 * Each round loads every server in turn, so other load on the computer affects all of them. A
 * ratio is the median of the rounds' ratios.
 *
 * @module
 */

import { type Row, writeReport } from "./_report.ts";
import { median, printRow, readProcess, runWrk } from "./_measure.ts";
import { assertExpected, type Operation, OPERATIONS } from "./_operations.ts";
import { isChosen, listServices, PEERS } from "./_servers.ts";
import type { ServerProcess } from "../tests/_server.ts";
import type { Options } from "./main.ts";

const HEADER = "requests/s CPU,µs p50,ms p99,ms MiB start,ms speed,× CPU,×"
  .split(" ");

/** The npm packages of the servers that run on Node. */
const PACKAGES = "fastify@5.12.8 @fastify/cors@11.4.3 express@5.3.0 cors@2.8.6"
  .split(" ");

/** The measurements of one round. */
type Round = Awaited<ReturnType<typeof runWrk>> & {
  readonly residentMiB: number;
  /** Time from the start of the process to its first response, in milliseconds. */
  readonly startMs: number;
};

/** A running server and its rounds so far. */
interface Measured {
  readonly name: string;
  readonly server: ServerProcess;
  readonly startMs: number;
  readonly rounds: Round[];
}

export async function run(options: Options): Promise<void> {
  const install = "install --prefix bench/node --no-save --no-package-lock";
  await new Deno.Command("npm", { args: [...install.split(" "), ...PACKAGES] })
    .output();
  const rows: Row[] = [];
  for (const operation of OPERATIONS.filter(isChosen(options))) {
    rows.push(await compare(operation, options));
  }
  if (options.write) await writeReport(rows, PACKAGES);
}

/** Compares the servers in one operation, and prints the results. */
async function compare(operation: Operation, options: Options): Promise<Row> {
  const { rounds = "5", seconds = "1", clients: [clients = "32"] = [] } =
    options;
  const starts = { ...listServices(options), ...PEERS };
  await using stack = new AsyncDisposableStack();
  const servers: Measured[] = [];
  for (const [name, start] of Object.entries(starts)) {
    const startedAt = performance.now();
    const server = stack.use(await start(operation.path));
    await assertExpected(server, operation);
    const startMs = performance.now() - startedAt;
    servers.push({ name, server, startMs, rounds: [] });
  }
  const order = [...servers];
  const load = { seconds: Number(seconds), clients: Number(clients) };
  for (let round = 0; round <= Number(rounds); round += 1) {
    for (const { name, server, startMs, rounds } of order) {
      const figures = await runWrk(server, operation, load);
      if (figures.failed > 0) throw new Error(`requests to ${name} failed`);
      const { residentMiB } = readProcess(server);
      // The first round warms up.
      if (round > 0) rounds.push({ ...figures, residentMiB, startMs });
    }
    // Changes the order for the next round.
    order.push(order.shift()!);
  }
  printRow(operation.name, HEADER);
  const [service, ...others] = servers.map(({ name, rounds }) => ({
    name,
    ...summarize(rounds, servers[0]!.rounds),
  }));
  for (const { name, ...figures } of [service!, ...others]) {
    printRow(`  ${name}`, formatCells(figures));
  }
  return {
    name: operation.name,
    perSecond: service!.perSecond,
    ratios: Object.fromEntries(others.map(({ name, speed }) => [name, speed])),
  };
}

/** Returns the medians of a server, and the first server's speed relative to it. */
function summarize(rounds: readonly Round[], first: readonly Round[]) {
  const medianOf = (key: keyof Round) =>
    median(rounds.map((round) => round[key]));
  const speed = rounds.map((round, i) => first[i]!.perSecond / round.perSecond);
  const cpu = rounds.map((round, i) => round.cpuMicros / first[i]!.cpuMicros);
  return {
    perSecond: medianOf("perSecond"),
    cpuMicros: medianOf("cpuMicros"),
    p50: medianOf("p50"),
    p99: medianOf("p99"),
    residentMiB: medianOf("residentMiB"),
    startMs: medianOf("startMs"),
    speed: median(speed),
    cpu: median(cpu),
  };
}

/** Formats figures in the order of `HEADER`. */
function formatCells(figures: ReturnType<typeof summarize>): string[] {
  const { perSecond, cpuMicros, p50, p99, residentMiB, startMs, speed, cpu } =
    figures;
  return [
    perSecond.toFixed(0),
    cpuMicros.toFixed(1),
    p50.toFixed(2),
    p99.toFixed(2),
    residentMiB.toFixed(0),
    startMs.toFixed(0),
    speed.toFixed(2),
    cpu.toFixed(2),
  ];
}
