/**
 * Measures many clients with large requests: responses per second, also relative to the first
 * number of clients, peak memory, and failed requests. Then measures small requests next to
 * eight clients with large ones, and requests during attacks.
 *
 * @module
 */

import { measureAttacks } from "./_attacks.ts";
import { median, printRow, readProcess, runWrk } from "./_measure.ts";
import {
  assertExpected,
  callTool,
  type Operation,
  post,
} from "./_operations.ts";
import { isChosen, listServices } from "./_servers.ts";
import type { Options } from "./main.ts";

const CROWDS = [
  post("hash", 900),
  post("encode", 700),
  post("format", 700),
  callTool(post("hash", 900)),
];
// The result of a tool call has at most 1 MiB.
const LARGE = [post("format", 850), callTool(post("format", 500))];
const SMALL = [post("hash", 1), callTool(post("hash", 1))];

export async function run(options: Options): Promise<void> {
  for (const operation of CROWDS.filter(isChosen(options))) {
    printRow(operation.name, ["responses/s", "share", "peak,MiB", "failed"]);
    await crowd(operation, options);
  }
  for (const large of LARGE.filter(isChosen(options))) {
    const header = ["p50,ms", "p99,ms", "max,ms", "large/s"];
    printRow(`small next to 8 clients with ${large.name}`, header);
    await measureNextToLarge(large, options);
  }
  await measureAttacks(options);
}

/** Loads a new server in each round, for each number of clients. */
async function crowd(operation: Operation, options: Options): Promise<void> {
  const { clients = ["32", "128", "256", "512"], seconds = 6, rounds = 3 } =
    options;
  const first: Record<string, number> = {};
  for (const count of clients.map(Number)) {
    const runs: Record<string, [number, number, number][]> = {};
    for (let round = 0; round < Number(rounds); round += 1) {
      for (const [name, start] of Object.entries(listServices(options))) {
        await using server = await start("");
        await assertExpected(server, operation);
        const load = { seconds: Number(seconds), clients: count };
        const { perSecond, failed } = await runWrk(server, operation, load);
        const { peakMiB } = readProcess(server);
        (runs[name] ??= []).push([perSecond, peakMiB, failed]);
      }
    }
    for (const [name, figures] of Object.entries(runs)) {
      const medianOf = (i: 0 | 1 | 2) => median(figures.map((row) => row[i]));
      first[name] ??= medianOf(0);
      const share = (medianOf(0) / first[name]).toFixed(2);
      const cells = [medianOf(0), share, medianOf(1), medianOf(2)];
      printRow(`  ${name}, ${count} clients`, cells);
    }
  }
}

async function measureNextToLarge(
  large: Operation,
  options: Options,
): Promise<void> {
  const seconds = Number(options.seconds ?? 6);
  for (const [name, start] of Object.entries(listServices(options))) {
    await using server = await start("");
    await assertExpected(server, large);
    for (const small of SMALL) {
      const [{ perSecond }, { p50, p99, max }] = await Promise.all([
        runWrk(server, large, { seconds, clients: 8 }),
        runWrk(server, small, { seconds, clients: 1 }),
      ]);
      printRow(`  ${name}, ${small.name}`, [p50, p99, max, perSecond], 1);
    }
  }
}
