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

// deno-lint-ignore-file no-console -- the figures are the output

import { startServer } from "../tests/_server.ts";
import { readResidentMiB } from "./_load.ts";

const CALLS = 100_000;
const CONNECTIONS = 16;
const LARGEST_AT_A_TIME = 64;
const ABANDONED = 100;
const TIMED = 200;

function print(name: string, figure: number, unit = "MiB"): void {
  const digits = unit === "ms" ? 1 : 0;
  console.log(
    `${name.padEnd(52)} ${figure.toFixed(digits).padStart(6)} ${unit}`,
  );
}

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
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (sent < count) await send(MIXED[sent++ % MIXED.length]!);
  }));
}

/** Times a call, in milliseconds. */
async function time(init: RequestInit): Promise<number> {
  const start = performance.now();
  await send(init);
  return performance.now() - start;
}

print("at rest", await readResidentMiB(server));
print("the first call", await time(SMALL!), "ms");
print("the second call", await time(SMALL!), "ms");
const later: number[] = [];
for (let i = 0; i < TIMED; i += 1) later.push(await time(SMALL!));
print("later calls, median", later.toSorted((a, b) => a - b)[TIMED / 2]!, "ms");
print("after them", await readResidentMiB(server));
await sendMixed(CALLS / 10);
print("after 10,000 calls", await readResidentMiB(server));
const start = performance.now();
await sendMixed(CALLS * 9 / 10);
const seconds = (performance.now() - start) / 1_000;
print("after 100,000 calls", await readResidentMiB(server));
print("calls a second", CALLS * 9 / 10 / seconds, "");

const clients = new AbortController();
const { signal } = clients;
const abandoned = Array.from(
  { length: ABANDONED },
  () =>
    fetch(`${server.origin}/mcp`, { ...TOO_LARGE!, signal }).catch(() => {}),
);
await new Promise((resolve) => setTimeout(resolve, 100));
print(`a small call during ${ABANDONED} large ones`, await time(SMALL!), "ms");
clients.abort();
print("one after their clients disconnected", await time(SMALL!), "ms");
await Promise.all(abandoned);

let peak = 0;
let refused = 0;
let isDone = false;
const answers = Promise.all(
  Array.from({ length: LARGEST_AT_A_TIME }, async (_value, i) => {
    const { status, bytes } = await send(LARGEST[i % LARGEST.length]!);
    // Each protocol revision reports a rejection differently.
    if (status === 503 || bytes < 1_000) refused += 1;
    else if (bytes < 2_000_000) throw new Error(`${bytes} bytes`);
  }),
).finally(() => isDone = true);
while (!isDone) {
  peak = Math.max(peak, await readResidentMiB(server));
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await answers;
print(`${LARGEST_AT_A_TIME} of the largest results at a time, peak`, peak);
print("of these rejected for lack of memory", refused, "");
