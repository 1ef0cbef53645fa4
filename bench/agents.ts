/**
 * Measures the cost of `/mcp`:
 *
 * - latency of the first call, which loads the MCP package, and of later calls;
 * - resident size before and after up to 100,000 calls, and calls a second;
 * - latency of a small call during abandoned large ones;
 * - peak of the resident size during 64 of the largest results.
 *
 * ```sh
 * deno run --no-prompt --allow-read=. --allow-run --allow-net=127.0.0.1 bench/agents.ts
 * ```
 *
 * @module
 */

import { startServer } from "../tests/_server.ts";
import { median, printFigure } from "./_figures.ts";
import { measurePeakMiB, readResidentMiB } from "./_load.ts";

const CALLS = 100_000;
const CLIENTS = 16;
const LARGEST_AT_A_TIME = 64;
const ABANDONED = 100;
const TIMED = 200;

/** The description of the client in each request of revision 2026-07-28. */
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function createCall(name: string, args: object): RequestInit[] {
  return createMessages("tools/call", { name, arguments: args });
}

/** A message in the format of the revisions of 2025, and in that of 2026-07-28. */
function createMessages(method: string, params: object): RequestInit[] {
  const message = { jsonrpc: "2.0", id: 1, method };
  const name = "name" in params ? { "mcp-name": String(params.name) } : {};
  return [
    { method: "POST", body: JSON.stringify({ ...message, params }) },
    {
      method: "POST",
      headers: {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...name,
      },
      body: JSON.stringify({ ...message, params: { ...params, _meta: META } }),
    },
  ];
}

const MIXED = [
  ...createMessages("tools/list", {}),
  ...createMessages("unheard/of", {}),
  ...createMessages("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  }).slice(0, 1),
  ...createCall("convertBase64", { action: "encode", input: "é".repeat(300) }),
  ...createCall("hashText", { algorithm: "sha256", input: "x".repeat(3_000) }),
  ...createCall("generateUuids", { count: 100 }),
  ...createCall("generatePassword", { length: 0 }),
  ...createCall("processJson", { action: "format", input: '[{"a":[1,2]}]' }),
  ...createCall("nothing", {}),
];

/** Messages of 520 KB whose results have just below 1 MiB. */
const LARGEST = createCall("processJson", {
  action: "format",
  input: `[${"0,".repeat(150_000)}"${"x".repeat(120_000)}"]`,
});

/** A message of 3 KB whose result would have 8 MiB. */
const [TOO_LARGE] = createCall("processJson", {
  action: "format",
  input: "[".repeat(1_440) + "]".repeat(1_440),
  indent: 4,
});

const [SMALL] = createCall("hashText", { algorithm: "sha256", input: "abc" });

await using server = await startServer();

async function send(
  init: RequestInit,
): Promise<{ status: number; bytes: number }> {
  const response = await fetch(`${server.origin}/mcp`, init);
  const { status } = response;
  if (status === 500) throw new Error(await response.text());
  return { status, bytes: (await response.arrayBuffer()).byteLength };
}

async function sendMixed(count: number): Promise<void> {
  let sent = 0;
  await Promise.all(Array.from({ length: CLIENTS }, async () => {
    while (sent < count) await send(MIXED[sent++ % MIXED.length]!);
  }));
}

async function printSize(label: string): Promise<void> {
  printFigure(label, await readResidentMiB(server), { unit: "MiB" });
}

async function printTime(label: string, runs = 1): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < runs; i += 1) {
    const start = performance.now();
    await send(SMALL!);
    times.push(performance.now() - start);
  }
  printFigure(label, median(times), { unit: "ms", digits: 1 });
}

await printSize("at rest");
await printTime("the first call");
await printTime("the second call");
await printTime("later calls, median", TIMED);
await printSize("after them");
await sendMixed(CALLS / 10);
await printSize("after 10,000 calls");
const start = performance.now();
await sendMixed(CALLS * 9 / 10);
const seconds = (performance.now() - start) / 1_000;
await printSize("after 100,000 calls");
printFigure("calls a second", CALLS * 9 / 10 / seconds, { unit: "" });

const clients = new AbortController();
const { signal } = clients;
const abandoned = Array.from(
  { length: ABANDONED },
  () =>
    fetch(`${server.origin}/mcp`, { ...TOO_LARGE!, signal }).catch(() => {}),
);
await new Promise((resolve) => setTimeout(resolve, 100));
await printTime(`a small call during ${ABANDONED} large ones`);
clients.abort();
await printTime("one after their clients disconnected");
await Promise.all(abandoned);

let refused = 0;
const answers = Array.from({ length: LARGEST_AT_A_TIME }, async (_, i) => {
  const { status, bytes } = await send(LARGEST[i % LARGEST.length]!);
  // Each protocol revision reports a rejection differently.
  if (status === 503 || bytes < 1_000) refused += 1;
  else if (bytes < 2_000_000) throw new Error(`${bytes} bytes`);
});
const peak = await measurePeakMiB(server, Promise.all(answers));
printFigure(
  `${LARGEST_AT_A_TIME} of the largest results at a time, peak`,
  peak,
  {
    unit: "MiB",
  },
);
printFigure("of these rejected for lack of memory", refused, { unit: "" });
