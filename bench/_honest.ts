/**
 * A worker that asks small things at a steady pace, on its own thread so that
 * nothing but the server can delay it, and tells how long each took.
 *
 * @module
 */

/** What it asks: to begin, or for what it has found since it was asked last. */
export type Order = { readonly origin: string } | "report";

/** What it has found. */
export interface Report {
  /** Latencies in milliseconds, sorted. */
  readonly latencies: readonly number[];
  /** How many were not answered with 200. */
  readonly refusals: number;
}

/** The global scope of a worker; the types at hand are those of the main thread. */
declare const self: {
  onmessage: (event: MessageEvent<Order>) => void;
  postMessage(report: Report): void;
};

/** Pause between two requests, in milliseconds: 20 of them a second. */
const PAUSE_MS = 50;

const POST = {
  method: "POST",
  body: JSON.stringify({ algorithm: "sha256", input: "a".repeat(1_000) }),
};

let latencies: number[] = [];
let refusals = 0;

async function ask(url: string, init: RequestInit): Promise<void> {
  const start = performance.now();
  try {
    const response = await fetch(url, init);
    await response.text();
    if (!response.ok) refusals += 1;
  } catch {
    // A connection that is refused or cut counts like a refusal.
    refusals += 1;
  }
  latencies.push(performance.now() - start);
}

self.onmessage = ({ data: order }) => {
  if (order === "report") {
    latencies.sort((a, b) => a - b);
    self.postMessage({ latencies, refusals });
    latencies = [];
    refusals = 0;
    return;
  }
  let count = 0;
  setInterval(() => {
    count += 1;
    // Four of five are POSTs, which are what large ones could hold up.
    if (count % 5 === 0) ask(`${order.origin}/api/uuid`, {});
    else ask(`${order.origin}/api/hash`, POST);
  }, PAUSE_MS);
};
