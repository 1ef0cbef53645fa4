/**
 * A worker that sends small requests and small tool calls at a steady rate. It has
 * a thread of its own, so that only the server can delay them.
 *
 * @module
 */

/** Starts the probe at an address, or asks it for its figures since the last time. */
export type Order = { readonly origin: string } | "report";

/** The figures of a while; latencies in milliseconds. */
export interface Report {
  readonly requests: readonly number[];
  readonly calls: readonly number[];
  /** Number of responses with another status than 200, and of failures. */
  readonly refused: number;
}

/** The global scope of a worker; the types at hand are those of the main thread. */
declare const self: {
  onmessage: (event: MessageEvent<Order>) => void;
  postMessage(report: Report): void;
};

/** Pause between two requests, in milliseconds. */
const PAUSE_MS = 50;

const FIELDS = { algorithm: "sha256", input: "a".repeat(1_000) };
const REQUEST = JSON.stringify(FIELDS);
const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "hashText", arguments: FIELDS },
});

let requests: number[] = [];
let calls: number[] = [];
let refused = 0;

async function ask(
  url: string,
  init: RequestInit,
  latencies: number[],
): Promise<void> {
  const start = performance.now();
  try {
    const response = await fetch(url, init);
    await response.text();
    if (!response.ok) refused += 1;
  } catch {
    refused += 1;
  }
  latencies.push(performance.now() - start);
}

function start(origin: string): void {
  let count = 0;
  setInterval(() => {
    count += 1;
    const post = (body: string) => ({ method: "POST", body });
    if (count % 5 === 0) ask(`${origin}/api/uuid`, {}, requests);
    else if (count % 5 < 3) ask(`${origin}/api/hash`, post(REQUEST), requests);
    else ask(`${origin}/mcp`, post(CALL), calls);
  }, PAUSE_MS);
}

self.onmessage = ({ data: order }) => {
  if (order !== "report") return start(order.origin);
  self.postMessage({ requests, calls, refused });
  [requests, calls, refused] = [[], [], 0];
};
