/** Clients in a thread of their own, so that only the server can delay them. */

import type { Operation } from "./_operations.ts";

/** What a client has found: latencies in milliseconds, and the number of failures. */
interface Found {
  readonly latencies: number[];
  failed: number;
}

/** One client for each operation, which repeats it until disposal. */
export class Probe implements Disposable {
  readonly #worker = new Worker(import.meta.url, { type: "module" });

  constructor(origin: string, operations: readonly Operation[]) {
    this.#worker.postMessage({ origin, operations });
  }

  /** Returns what each client has found since the last call. */
  take(): Promise<Found[]> {
    return new Promise((resolve) => {
      this.#worker.onmessage = ({ data }) => resolve(data);
      this.#worker.postMessage("take");
    });
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

/** The scope of a worker; TypeScript loads the types of the main thread. */
declare function postMessage(found: readonly Found[]): void;

let all: (Found & { start: number })[] = [];

async function repeat(origin: string, { path, fields }: Operation, i: number) {
  const init = { method: "POST", body: JSON.stringify(fields) };
  for (;;) {
    all[i]!.start = performance.now();
    const isRight = await fetch(origin + path, init)
      .then(async (response) => await response.bytes() && response.ok)
      // The server may close the connection.
      .catch(() => false);
    if (!isRight) all[i]!.failed += 1;
    all[i]!.latencies.push(performance.now() - all[i]!.start);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const forget = ({ start = 0 }) => ({ latencies: [], failed: 0, start });

// In the main thread, this event does not occur.
addEventListener("message", (event) => {
  const { data } = event as MessageEvent;
  if (data === "take") {
    // The request in progress counts, too: it may wait long.
    for (const row of all) row.latencies.push(performance.now() - row.start);
    postMessage(all);
    all = all.map(forget);
  } else {
    all = data.operations.map(forget);
    data.operations.forEach((operation: Operation, i: number) =>
      repeat(data.origin, operation, i)
    );
  }
});
