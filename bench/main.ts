/**
 * Runs a benchmark: `deno task bench NAME [OPTION …]`. Requires Linux, and wrk for `speed` and
 * `load`.
 *
 * @module
 */

import { print } from "../tools/print.ts";
import { parseArgs } from "@std/cli/parse-args";

const HELP = `deno task bench NAME [OPTION …]

  speed    Compare the service with a bare server, Hono, Fastify, and Express
           (requires Node.js and npm)
  load     Measure 32 to 512 clients with large requests, small requests next to
           large ones, and requests during attacks
  page     Measure the page with Lighthouse (requires Chromium and npx)
  deno     List which behaviors in docs/deno.md this version of Deno still has

  --only TEXT        Select measurements by name (repeatable)
  --compare FOLDER   Also measure another checkout
  --parallel         Run the service on all cores
  --rounds NUMBER, --seconds NUMBER, --clients NUMBER (repeatable for load)
  --write            Write the results of speed to docs/speed.md`;

export interface Options {
  readonly only: string[];
  readonly compare?: string;
  readonly parallel: boolean;
  readonly write: boolean;
  readonly rounds?: string;
  readonly seconds?: string;
  readonly clients?: string[];
}

const { _: [name = ""], only, clients, ...others } = parseArgs(Deno.args, {
  boolean: ["parallel", "write"],
  string: ["_", "only", "compare", "rounds", "seconds", "clients"],
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
