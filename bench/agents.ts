/**
 * Measures the tools for agents: the times from the start to the first answer, the rate of
 * small calls, the resident size, and small calls beside large ones.
 *
 * ```sh
 * deno run --no-prompt --allow-read=. --allow-run --allow-net=127.0.0.1 bench/agents.ts
 * ```
 *
 * @module
 */

import { readCommand, startServer } from "../tests/_server.ts";
import { median, printFigure } from "./_figures.ts";
import { measurePeakMiB, readResidentMiB } from "./_load.ts";

const CALLS = 50_000;
const CLIENTS = 16;
const RUNS = 5;
const LARGE_AT_A_TIME = 64;
const TIMED = 100;

/** Writes a message that calls a tool. */
function createCall(name: string, args: object): string {
  const params = { name, arguments: args };
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params,
  });
}

const SMALL = createCall("hashText", { algorithm: "sha256", input: "abc" });

/** A message of 520 KB whose result has just below 1 MiB. */
const LARGE = createCall("processJson", {
  action: "format",
  input: `[${"0,".repeat(150_000)}"${"x".repeat(120_000)}"]`,
});

async function time(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** Starts the process of a local agent, and waits for its answer to one call. */
async function callProcess(): Promise<void> {
  const [command, ...args] = readCommand("mcp");
  const child = new Deno.Command(command!, {
    args,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${SMALL}\n`));
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  await writer.close();
  while (!(await reader.read()).done);
  await child.status;
  if (value === undefined) throw new Error("no answer");
}

async function send(origin: string, body: string): Promise<number> {
  const response = await fetch(`${origin}/mcp`, { method: "POST", body });
  const { byteLength } = await response.bytes();
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return byteLength;
}

const starts: number[] = [];
for (let run = 0; run < RUNS; run += 1) starts.push(await time(callProcess));
printFigure(
  "a process, from its start to its end after one call",
  median(starts),
  {
    unit: "ms",
  },
);

const firsts: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  await using server = await startServer();
  firsts.push(await time(() => send(server.origin, SMALL)));
}
printFigure("the first call over HTTP", median(firsts), { unit: "ms" });

await using server = await startServer();
const { origin } = server;

async function printLater(label: string): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < TIMED; run += 1) {
    times.push(await time(() => send(origin, SMALL)));
  }
  printFigure(label, median(times), { unit: "ms", digits: 1 });
}

await printLater("later calls, median");
printFigure("resident size", await readResidentMiB(server), { unit: "MiB" });
let sent = 0;
const milliseconds = await time(() =>
  Promise.all(Array.from({ length: CLIENTS }, async () => {
    for (; sent < CALLS; sent += 1) await send(origin, SMALL);
  }))
);
printFigure("calls a second", CALLS / (milliseconds / 1_000), { unit: "" });
printFigure(`after ${CALLS} calls`, await readResidentMiB(server), {
  unit: "MiB",
});

const large = Array.from(
  { length: LARGE_AT_A_TIME },
  () => send(origin, LARGE),
);
const beside = printLater(`beside ${LARGE_AT_A_TIME} large calls, median`);
const peak = await measurePeakMiB(server, Promise.all(large));
await beside;
printFigure("peak of the resident size", peak, { unit: "MiB" });
