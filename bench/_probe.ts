/**
 * A worker that sends small requests and small tool calls at a steady rate. It has
 * a thread of its own, so that only the server can delay them.
 *
 * @module
 */

/** A message to the probe: the URL to send requests to, or a request for its report. */
export type ProbeCommand = { readonly origin: string } | "report";

/** The latencies since the last report, in milliseconds. */
export interface Report {
  readonly requests: readonly number[];
  readonly calls: readonly number[];
  /** Number of failed requests, and of responses with another status than 200. */
  readonly refused: number;
}

/** The global scope of a worker; TypeScript loads the types of the main thread. */
declare const self: {
  onmessage: (event: MessageEvent<ProbeCommand>) => void;
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

async function sendRequest(
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
    if (count % 5 === 0) sendRequest(`${origin}/api/uuid`, {}, requests);
    else if (count % 5 < 3) {
      sendRequest(`${origin}/api/hash`, post(REQUEST), requests);
    } else sendRequest(`${origin}/mcp`, post(CALL), calls);
  }, PAUSE_MS);
}

self.onmessage = ({ data: command }) => {
  if (command !== "report") return start(command.origin);
  self.postMessage({ requests, calls, refused });
  [requests, calls, refused] = [[], [], 0];
};
