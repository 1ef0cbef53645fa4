/**
 * Runs a benchmark: `deno task bench NAME [OPTION …]`. All require Linux, and all except
 * `deno` and `page` require wrk.
 *
 * @module
 */

import { print } from "../tools/print.ts";
import { parseArgs } from "@std/cli/parse-args";

const HELP = `deno task bench NAME [OPTION …]

  speed    compares the service with a bare server, Hono, Fastify, and Express
           (requires Node.js and npm)
  load     32 to 512 clients with large requests, small requests next to them, and
           other requests during attacks
  page     measures the page with Lighthouse (requires Chromium and npx)
  deno     which behaviors in docs/deno.md this version of Deno still has

  --only TEXT       only what contains TEXT in its name; can be repeated
  --beside FOLDER   another checkout to compare with
  --parallel        the service on all cores
  --rounds NUMBER, --seconds NUMBER, --clients NUMBER (load: several)
  --write           speed: writes the figures and the chart of docs/speed.md`;

export interface Options {
  readonly only: string[];
  readonly beside?: string;
  readonly parallel: boolean;
  readonly write: boolean;
  readonly rounds?: string;
  readonly seconds?: string;
  readonly clients?: string[];
}

const { _: [name = ""], only, clients, ...others } = parseArgs(Deno.args, {
  boolean: ["parallel", "write"],
  string: ["_", "only", "beside", "rounds", "seconds", "clients"],
  collect: ["only", "clients"],
  unknown(argument, option) {
    if (option !== undefined) throw new Error(`unknown option ${argument}`);
  },
}) as unknown as Required<Options> & { readonly _: string[] };

const options: Options = {
  ...others,
  only: only.length > 0 ? only : [""],
  ...(clients.length > 0 && { clients }),
};

if (["speed", "load", "page", "deno"].includes(name)) {
  await (await import(`./${name}.ts`)).run(options);
} else print(HELP);
