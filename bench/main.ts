/**
 * Runs a benchmark: `deno task bench NAME [OPTION …]`. All need Linux, and all but `deno` and
 * `page` need wrk.
 *
 * @module
 */

import { print } from "../lib/system/log.ts";
import { parseArgs } from "node:util";

const HELP = `deno task bench NAME [OPTION …]

  speed    beside a bare server, Hono, Fastify and Express (needs Node and npm)
  load     32 to 512 clients with large requests; small requests beside large ones
  worst    the longest wait of another client beside each of the slowest requests
  attacks  small requests, calls and large requests of others while clients attack
  page     the page by Lighthouse (needs Chromium and npx)
  deno     which behaviors of Deno that code works around this Deno still has

  --only TEXT       what has the text in its name; several: any of them
  --beside FOLDER   another checkout, measured in turn with this one
  --parallel        the service on all cores
  --rounds NUMBER, --seconds NUMBER, --clients NUMBER (load: several)
  --chart FILE      speed: draws a chart of the operations, as in the README`;

const { values, positionals: [name = ""] } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true, default: [""] },
    beside: { type: "string" },
    parallel: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    clients: { type: "string", multiple: true },
    chart: { type: "string" },
  },
});

export type Options = typeof values;

if (["speed", "load", "worst", "attacks", "page", "deno"].includes(name)) {
  await (await import(`./${name}.ts`)).run(values);
} else print(HELP);
