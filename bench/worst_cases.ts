/**
 * The effect of the slowest valid requests that are known: the longest wait of a client
 * that sends small requests meanwhile, and the time until their own response, in
 * milliseconds.
 *
 * ```
 * deno task bench:worst [part of the name of a case …]
 * ```
 *
 * @module
 */

// deno-lint-ignore-file no-console -- the table is the output

import { startServer } from "../tests/_server.ts";
import { delay } from "./_attacker.ts";
import { median } from "./_figures.ts";
import type { WaitsCommand } from "./_waits.ts";
import { CASES } from "./_worst_cases.ts";

/** Number of requests before the measured ones: earlier requests may fill tables. */
const EARLIER = 200;

/** Number of measured requests. */
const RUNS = 14;

/** Pause between two measured requests, in milliseconds. */
const PAUSE_MS = 20;

class SmallClient implements Disposable {
  readonly #worker = new Worker(import.meta.resolve("./_waits.ts"), {
    type: "module",
  });

  start(port: number): void {
    this.#send({ port });
  }

  /** Returns the longest wait since the last call, in milliseconds. */
  takeLongest(): Promise<number> {
    return new Promise((resolve) => {
      this.#worker.onmessage = ({ data }) => resolve(data);
      this.#send("take");
    });
  }

  #send(command: WaitsCommand): void {
    this.#worker.postMessage(command);
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

const decoder = new TextDecoder("latin1");

/** Sends a request and reads its response, which must have a length. Returns its status. */
async function exchange(port: number, request: Uint8Array): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const buffer = new Uint8Array(256 * 1024);
  const sending = (async () => {
    for (let sent = 0; sent < request.length;) {
      sent += await connection.write(request.subarray(sent));
    }
  })();
  let head = "";
  let received = 0;
  let length = Infinity;
  while (received < length) {
    const bytes = await connection.read(buffer);
    if (bytes === null) break;
    received += bytes;
    if (length < Infinity) continue;
    head += decoder.decode(buffer.subarray(0, bytes));
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) continue;
    const found = /^content-length: (\d+)/im.exec(head);
    length = end + 4 + Number(found?.[1] ?? 0);
  }
  await sending;
  return head.slice(9, 12);
}

async function measure(name: string, create: () => Uint8Array): Promise<void> {
  await using server = await startServer();
  using client = new SmallClient();
  const { port } = server;
  for (let i = 0; i < EARLIER; i += 1) await exchange(port, create());
  client.start(port);
  await delay(500);
  const waits: number[] = [];
  const quiet: number[] = [];
  const totals: number[] = [];
  let status = "";
  for (let run = 0; run < RUNS; run += 1) {
    const request = create();
    await client.takeLongest();
    await delay(PAUSE_MS);
    quiet.push(await client.takeLongest());
    const start = performance.now();
    status = await exchange(port, request);
    totals.push(performance.now() - start);
    waits.push(await client.takeLongest());
  }
  waits.sort((a, b) => a - b);
  const figures = [median(quiet), median(waits), waits.at(-2)!, median(totals)]
    .map((figure) => figure.toFixed(1).padStart(7));
  console.log(`${name.padEnd(54)} ${status} ${figures.join(" ")}`);
}

console.log(
  `${"".padEnd(54)} status quiet, median and second longest wait, time (ms)`,
);
for (const [name, create] of Object.entries(CASES)) {
  const isChosen = Deno.args.some((part) => name.includes(part));
  if (Deno.args.length > 0 && !isChosen) continue;
  await measure(name, create);
}
