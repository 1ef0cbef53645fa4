/**
 * Runs a benchmark: `deno task bench NAME [OPTION …]`. All need Linux, and all but `deno` and
 * `page` need wrk.
 *
 * @module
 */

import { print } from "../tools/print.ts";
import { parseArgs } from "@std/cli/parse-args";

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

export interface Options {
  readonly only: string[];
  readonly beside?: string;
  readonly parallel: boolean;
  readonly rounds?: string;
  readonly seconds?: string;
  readonly clients?: string[];
  readonly chart?: string;
}

const { _: [name = ""], only, clients, ...others } = parseArgs(Deno.args, {
  boolean: ["parallel"],
  string: ["_", "only", "beside", "rounds", "seconds", "clients", "chart"],
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

if (["speed", "load", "worst", "attacks", "page", "deno"].includes(name)) {
  await (await import(`./${name}.ts`)).run(options);
} else print(HELP);
