/** Load by wrk, and the server's throughput, latency and memory under it. */

import type { ServerProcess } from "../tests/_server.ts";
import type { Operation } from "./_operations.ts";

/** Clients at a time, each with a connection. */
const CONNECTIONS = 32;

/** Pause between two measurements of the resident size, in milliseconds. */
const SIZE_PAUSE_MS = 20;

/** The figures of one measurement. */
export interface Measurement {
  readonly requestsPerSecond: number;
  /** Median latency, in milliseconds. */
  readonly medianMs: number;
  /** 99th percentile of the latency, in milliseconds. */
  readonly p99Ms: number;
  /** Resident size under load, in MiB. */
  readonly residentMiB: number;
}

/** The server to measure. */
type Target = Pick<ServerProcess, "origin" | "pid">;

/** Whether wrk is installed. */
export async function hasWrk(): Promise<boolean> {
  try {
    // Without arguments, wrk prints its usage.
    await new Deno.Command("wrk").output();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Asserts that a server responds correctly to an operation. */
export async function assertRight(
  { origin }: Target,
  operation: Operation,
): Promise<Headers> {
  const { path, fields, status } = operation;
  const response = await fetch(origin + path, {
    method: fields ? "POST" : "GET",
    headers: fields ? { "content-type": "application/json" } : {},
    body: fields ? JSON.stringify(fields) : null,
  });
  const answer = await response.json();
  if (response.status !== status || !operation.isRight(answer)) {
    const text = JSON.stringify(answer).slice(0, 100);
    throw new Error(
      `${operation.name}: ${origin} answers ${response.status} ${text}`,
    );
  }
  return response.headers;
}

/** Repeats one operation for some seconds. */
export async function measure(
  server: Target,
  operation: Operation,
  { seconds, connections = CONNECTIONS }: {
    readonly seconds: number;
    readonly connections?: number;
  },
): Promise<Measurement> {
  const { path, fields } = operation;
  const request = ["GET"];
  if (fields) {
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, JSON.stringify(fields));
    request.splice(0, 1, "POST", file);
  }
  const child = new Deno.Command("wrk", {
    args: [
      "--threads=1",
      `--connections=${connections}`,
      `--duration=${seconds}`,
      "--header=Content-Type: application/json",
      `--script=${new URL("wrk.lua", import.meta.url).pathname}`,
      server.origin + path,
      "--",
      ...request,
    ],
    stdout: "piped",
  }).spawn();
  await new Promise((resolve) => setTimeout(resolve, seconds * 750));
  const residentMiB = await readResidentMiB(server);
  const { stdout } = await child.output();
  if (request[1]) await Deno.remove(request[1]);
  const summary = JSON.parse(
    new TextDecoder().decode(stdout).trim().split("\n").at(-1)!,
  );
  const failures = operation.status === 200 ? 0 : summary.requests;
  if (summary.broken > 0 || summary.status !== failures) {
    throw new Error(
      `${operation.name}: wrk reports ${JSON.stringify(summary)}`,
    );
  }
  return {
    requestsPerSecond: summary.requests / summary.duration * 1e6,
    medianMs: summary.p50 / 1_000,
    p99Ms: summary.p99 / 1_000,
    residentMiB,
  };
}

/** Returns the resident size of a process, in MiB, from `ps`. */
export async function readResidentMiB(
  { pid }: { readonly pid: number },
): Promise<number> {
  const { stdout } = await new Deno.Command("ps", {
    args: ["-o", "rss=", "-p", String(pid)],
  }).output();
  return Number(new TextDecoder().decode(stdout)) / 1024;
}

/** Returns the largest resident size of a process during some work, in MiB. */
export async function measurePeakMiB(
  server: Pick<ServerProcess, "pid">,
  work: Promise<unknown>,
): Promise<number> {
  let peakMiB = 0;
  let isOver = false;
  const end = work.finally(() => isOver = true);
  while (!isOver) {
    peakMiB = Math.max(peakMiB, await readResidentMiB(server));
    await new Promise((resolve) => setTimeout(resolve, SIZE_PAUSE_MS));
  }
  await end;
  return peakMiB;
}
