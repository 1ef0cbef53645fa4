/**
 * The resident size of the service, in MiB, as `ps` has it: at rest, and after up
 * to 1,000,000 requests of every kind. (What hostile clients do to it is in
 * `attacks.ts`.)
 *
 * @module
 */

// deno-lint-ignore-file no-console -- a benchmark prints its figures

import { type ServerProcess, startServer } from "../tests/_server.ts";
import { readResidentMiB } from "./_load.ts";

const MIXED_REQUESTS = 1_000_000;
const CONNECTIONS = 32;
const PIPELINED = 25;

function print(what: string, figure: number, unit = "MiB"): void {
  console.log(`${what.padEnd(52)} ${figure.toFixed(0).padStart(5)} ${unit}`);
}

const MIXED = [
  "GET /api/uuid",
  "GET /api/uuid?count=100",
  "GET /api/uuid?count=x",
  "GET /api/password",
  "GET /api/password?length=128&symbols=no",
  "GET /nowhere",
  "DELETE /api/hash",
  "OPTIONS /api/json",
  "GET /healthz",
  ...["a", "é".repeat(300), "x".repeat(3_000)].flatMap((input) =>
    [
      ["base64", { action: "encode", input }],
      ["base64", { action: "decode", input }],
      ["hash", { algorithm: "sha256", input }],
      ["json", {
        action: "format",
        input: JSON.stringify([input, { a: [1, 2, input] }]),
      }],
      ["json", { action: "validate", input }],
    ] as const
  ).map(([path, fields]) => `POST /api/${path} ${JSON.stringify(fields)}`),
].map((request) => {
  const [method, path, ...rest] = request.split(" ");
  const body = new TextEncoder().encode(rest.join(" "));
  const head =
    `${method} ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n`;
  return new Uint8Array([...new TextEncoder().encode(head), ...body]);
});

/** Sends requests on one connection, some at a time, and awaits their answers. */
async function sendMixed(
  { port }: ServerProcess,
  count: number,
): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const decoder = new TextDecoder("latin1");
  const buffer = new Uint8Array(1_048_576);
  for (let sent = 0; sent < count; sent += PIPELINED) {
    const batch = Array.from(
      { length: PIPELINED },
      (_, i) => MIXED[(sent + i) % MIXED.length]!,
    );
    await connection.write(await new Blob(batch).bytes());
    for (let answered = 0, rest = ""; answered < PIPELINED;) {
      const length = await connection.read(buffer);
      if (length === null) throw new Error("the server closed the connection");
      rest += decoder.decode(buffer.subarray(0, length));
      const answers = rest.split("HTTP/1.1 ");
      answered += answers.length - 1;
      rest = answers.at(-1)!.slice(-8);
    }
  }
}

async function measureMixedRequests(): Promise<void> {
  await using server = await startServer();
  print("at rest", await readResidentMiB(server));
  const sizes: number[] = [];
  for (const total of [MIXED_REQUESTS / 10, MIXED_REQUESTS]) {
    const count = (total - (sizes.length === 0 ? 0 : MIXED_REQUESTS / 10)) /
      CONNECTIONS;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, () => sendMixed(server, count)),
    );
    sizes.push(await readResidentMiB(server));
    print(`after ${total.toLocaleString("en")} mixed requests`, sizes.at(-1)!);
  }
  print("growth since the first tenth", (sizes[1]! / sizes[0]! - 1) * 100, "%");
}

await measureMixedRequests();
