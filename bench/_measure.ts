/** Generates load with wrk, reads process statistics from /proc, and prints tables. */

import { print } from "../tools/print.ts";
import type { Operation } from "./_operations.ts";

/** Clock ticks per second in /proc. */
const TICKS = 100;

/** Returns the CPU time of a process, and its current and peak resident memory. */
export function readProcess({ pid }: { readonly pid: number }) {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  // User and system time are the 12th and 13th field after the name in parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const readMiB = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)![1]) / 1024;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
    residentMiB: readMiB("VmRSS"),
    peakMiB: readMiB("VmHWM"),
  };
}

/**
 * Repeats a request from several clients. Returns the successful responses per second, the
 * server's CPU time per request in microseconds, latencies in milliseconds, and the number of
 * failed requests.
 */
export async function runWrk(
  server: { readonly origin: string; readonly pid: number },
  { path, fields }: Operation,
  { seconds, clients }: { readonly seconds: number; readonly clients: number },
) {
  const file = await Deno.makeTempFile();
  await Deno.writeTextFile(file, JSON.stringify(fields ?? ""));
  const start = readProcess(server).cpuSeconds;
  const { stdout } = await new Deno.Command("wrk", {
    args: [
      ...`-t1 -c${clients} -d${seconds} --timeout 20 -s bench/wrk.lua`
        .split(" "),
      ...["-H", "Content-Type: application/json", server.origin + path],
      ...fields ? ["--", file] : [],
    ],
  }).output();
  const cpuSeconds = readProcess(server).cpuSeconds - start;
  await Deno.remove(file);
  const figures: number[] = JSON.parse(
    new TextDecoder().decode(stdout).trim().split("\n").at(-1)!,
  );
  const [requests, micros, failed, p50, p95, p99, max] = figures as [
    ...[number, number, number],
    ...[number, number, number, number],
  ];
  const perSecond = (requests - failed) / micros * 1e6;
  const cpuMicros = cpuSeconds * 1e6 / requests;
  return { perSecond, cpuMicros, failed, p50, p95, p99, max };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** Prints a row: a label and right-aligned cells. */
export function printRow(
  label: string,
  cells: readonly (number | string)[],
  digits = 0,
): void {
  const columns = cells.map((cell) =>
    (typeof cell === "string" ? cell : cell.toFixed(digits)).padStart(11)
  );
  print(label.padEnd(48) + columns.join(""));
}
