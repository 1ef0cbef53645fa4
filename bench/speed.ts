/**
 * Compares the service with a bare server that does the same work, Hono, Fastify and
 * Express. Each server is loaded in turn, round after round, so that noise on the machine
 * affects all of them; a ratio is the median of the ratios of the rounds.
 *
 * @module
 */

import { drawChart } from "./_chart.ts";
import { median, printRow, readProcess, runWrk } from "./_measure.ts";
import { assertRight, type Operation, OPERATIONS } from "./_operations.ts";
import { isChosen, listServices, PEERS, type Start } from "./_servers.ts";
import type { Options } from "./main.ts";

const HEADER = "requests/s CPU,µs p50,ms p99,ms MiB start,ms speed,× CPU,×"
  .split(" ");

/** The npm packages of the servers that run on Node. */
const PACKAGES = "fastify@5.12.8 @fastify/cors@11.4.3 express@5.3.0 cors@2.8.6"
  .split(" ");

/** The figures of one round. */
type Round = Awaited<ReturnType<typeof runWrk>> & {
  readonly residentMiB: number;
  /** Time from the start of the process to its first answer, in milliseconds. */
  readonly startMs: number;
};

/** Compares the servers in the operations that the options choose. */
export async function run(options: Options): Promise<void> {
  const install = "install --prefix bench/node --no-save --no-package-lock";
  await new Deno.Command("npm", { args: [...install.split(" "), ...PACKAGES] })
    .output();
  const services = listServices(options);
  const servers = { ...services, ...PEERS };
  const groups: Parameters<typeof drawChart>[2][number][] = [];
  for (const operation of OPERATIONS.filter(isChosen(options))) {
    const starts = operation.path === "/mcp" ? services : servers;
    const speeds = await compare(operation, starts, options);
    const shares = speeds.map((speed) => speed / Math.max(...speeds));
    const note = `${Math.round(speeds[0]!).toLocaleString("en")} a second`;
    if (starts === servers) groups.push([operation.name, shares, note]);
  }
  if (options.chart) {
    const title = "Requests a second, relative to the fastest server";
    const chart = drawChart(title, Object.keys(servers), groups);
    await Deno.writeTextFile(options.chart, chart);
  }
}

/** Measures and prints one operation; returns the requests a second of each server. */
async function compare(
  operation: Operation,
  starts: Readonly<Record<string, Start>>,
  { rounds = "5", seconds = "1", clients: [clients = "32"] = [] }: Options,
): Promise<number[]> {
  await using stack = new AsyncDisposableStack();
  const servers = [];
  for (const [name, start] of Object.entries(starts)) {
    const begin = performance.now();
    const server = stack.use(await start(operation.path));
    await assertRight(server, operation);
    const startMs = performance.now() - begin;
    servers.push({ name, server, startMs, rounds: [] as Round[] });
  }
  const order = [...servers];
  const load = { seconds: Number(seconds), clients: Number(clients) };
  for (let round = 0; round <= Number(rounds); round += 1) {
    for (const { name, server, startMs, rounds } of order) {
      const figures = await runWrk(server, operation, load);
      if (figures.failed > 0) throw new Error(`${name} fails`);
      const { residentMiB } = readProcess(server);
      // The first round warms up.
      if (round > 0) rounds.push({ ...figures, residentMiB, startMs });
    }
    // Each round has another order.
    order.push(order.shift()!);
  }
  printRow(operation.name, HEADER);
  for (const { name, rounds } of servers) {
    printRow(`  ${name}`, summarize(rounds, servers[0]!.rounds));
  }
  return servers.map(({ rounds }) =>
    median(rounds.map(({ perSecond }) => perSecond))
  );
}

/** Returns the medians of a server, and how many times faster the first one is. */
function summarize(rounds: readonly Round[], first: readonly Round[]) {
  const medianOf = (key: keyof Round, digits: number) =>
    median(rounds.map((round) => round[key])).toFixed(digits);
  const speed = rounds.map((round, i) => first[i]!.perSecond / round.perSecond);
  const cpu = rounds.map((round, i) => round.cpuMicros / first[i]!.cpuMicros);
  return [
    medianOf("perSecond", 0),
    medianOf("cpuMicros", 1),
    medianOf("p50", 2),
    medianOf("p99", 2),
    medianOf("residentMiB", 0),
    medianOf("startMs", 0),
    median(speed).toFixed(2),
    median(cpu).toFixed(2),
  ];
}
