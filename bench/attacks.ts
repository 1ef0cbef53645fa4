/**
 * Effect of hostile and slow clients on small requests and small tool calls: each
 * attack over real sockets, as rows of a Markdown table.
 *
 * ```
 * deno task bench:attacks [--parallel] [part of the name of an attack …]
 * ```
 *
 * @module
 */

// deno-lint-ignore-file no-console -- the table is the output

import {
  type ServerProcess,
  startArguments,
  startProcess,
  startServer,
} from "../tests/_server.ts";
import { type Attack, Attacker, delay } from "./_attacker.ts";
import { ATTACKS, UNREAD_LOG } from "./_attacks.ts";
import { median } from "./_figures.ts";
import { measurePeakMiB } from "./_load.ts";
import type { ProbeCommand, Report } from "./_probe.ts";

/** Duration of the measurement without an attack, in milliseconds. */
const QUIET_MS = 3_000;

class Probe implements Disposable {
  readonly #worker = new Worker(import.meta.resolve("./_probe.ts"), {
    type: "module",
  });

  constructor(origin: string) {
    this.#worker.postMessage({ origin } satisfies ProbeCommand);
  }

  report(): Promise<Report> {
    return new Promise((resolve) => {
      this.#worker.onmessage = ({ data }) => resolve(data);
      this.#worker.postMessage("report" satisfies ProbeCommand);
    });
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

/** Median and maximum before and during an attack, in milliseconds. */
function compare(quiet: readonly number[], loaded: readonly number[]): string {
  const figures = [quiet, loaded].map((latencies) =>
    latencies.length === 0 ? "none" : median(latencies).toFixed(1)
  );
  return `${figures.join(" → ")} (${Math.max(0, ...loaded).toFixed(0)})`;
}

/** Starts a server whose log is read up to its first line, the address. */
function startWithUnreadLog(): Promise<ServerProcess> {
  const script = 'exec "$@" > >(head -n 1 >&2; sleep 60)';
  const command = ["bash", "-c", script, "bash", Deno.execPath()];
  return startProcess([...command, ...startArguments()], {
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_REQUESTS: "1",
  }, { isGroup: true });
}

async function run(name: string, attack: Attack, isParallel: boolean) {
  await using server = name === UNREAD_LOG
    ? await startWithUnreadLog()
    : await startServer({}, { isParallel });
  using probe = new Probe(server.origin);
  await delay(1_000);
  await probe.report();
  await delay(QUIET_MS);
  const quiet = await probe.report();
  using attacker = new Attacker(server.port);
  const attacking = attack(attacker);
  const peakMiB = await measurePeakMiB(server, attacking);
  const remark = await attacking;
  const loaded = await probe.report();
  const columns = [
    remark === undefined ? name : `${name} (${remark})`,
    compare(quiet.requests, loaded.requests),
    compare(quiet.calls, loaded.calls),
    peakMiB.toFixed(0),
    quiet.refused + loaded.refused,
  ];
  console.log(`| ${columns.join(" | ")} |`);
}

const names = Deno.args.filter((argument) => !argument.startsWith("--"));
const isParallel = Deno.args.includes("--parallel");
console.log(
  "| Attack | Small request, quiet → loaded (maximum), ms | Small tool call, ms | Peak, MiB | Refused |",
);
console.log("| --- | ---: | ---: | ---: | ---: |");
for (const [name, attack] of Object.entries(ATTACKS)) {
  if (names.length > 0 && !names.some((part) => name.includes(part))) continue;
  await run(name, attack, isParallel);
}
