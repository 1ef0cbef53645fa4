/**
 * Resident size of the service in MiB: at rest, after 100,000 and after
 * 1,000,000 requests of every kind. `attacks.ts` measures it under attack.
 *
 * @module
 */

import { startServer } from "../tests/_server.ts";
import { printFigure } from "./_figures.ts";
import { readResidentMiB } from "./_load.ts";

/** Numbers of requests after which the size is measured. */
const TOTALS = [100_000, 1_000_000];

/** Number of requests in flight at a time. */
const CONCURRENCY = 32;

/** Requests with and without a body, valid and invalid. */
const REQUESTS: readonly (readonly [path: string, init: RequestInit])[] = [
  ["/api/uuid", {}],
  ["/api/uuid?count=100", {}],
  ["/api/uuid?count=x", {}],
  ["/api/password", {}],
  ["/api/password?length=128&symbols=no", {}],
  ["/nowhere", {}],
  ["/api/hash", { method: "DELETE" }],
  ["/api/json", { method: "OPTIONS" }],
  ["/healthz", {}],
  ...["a", "é".repeat(300), "x".repeat(3_000)].flatMap((input) =>
    ([
      ["/api/base64", { action: "encode", input }],
      ["/api/base64", { action: "decode", input }],
      ["/api/hash", { algorithm: "sha256", input }],
      ["/api/json", {
        action: "format",
        input: JSON.stringify([input, { a: [1, 2, input] }]),
      }],
      ["/api/json", { action: "validate", input }],
    ] as const).map(([path, fields]) =>
      [path, { method: "POST", body: JSON.stringify(fields) }] as const
    )
  ),
];

await using server = await startServer();
printFigure("at rest", await readResidentMiB(server), { unit: "MiB" });
let sent = 0;
for (const total of TOTALS) {
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    while (sent < total) {
      const [path, init] = REQUESTS[sent++ % REQUESTS.length]!;
      const response = await fetch(server.origin + path, init);
      await response.bytes();
    }
  }));
  printFigure(
    `after ${total.toLocaleString("en")} requests`,
    await readResidentMiB(server),
    { unit: "MiB" },
  );
}
