/** The services to measure, and the servers to compare them with. */

import { type ServerProcess, startProcess } from "../tests/_server.ts";
import type { Operation } from "./_operations.ts";
import type { Options } from "./main.ts";

/** Starts a server. The bare server supports only `path`. */
export type Start = (path: string) => Promise<ServerProcess>;

/** Starts the service of a checkout on a free port, with the command of its task. */
export async function startService(
  { folder = ".", parallel = false, variables = {} }: {
    readonly folder?: string;
    readonly parallel?: boolean;
    readonly variables?: Record<string, string>;
  } = {},
): Promise<ServerProcess> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
  const { command } = tasks[parallel ? "start:parallel" : "start"];
  const [, ...args] = command.replaceAll("'", "").split(" ");
  return await startProcess(
    ["sh", "-c", 'cd "$0" && exec "$@"', folder, Deno.execPath(), ...args],
    { HOST: "127.0.0.1", PORT: "0", ...variables },
  );
}

/** Returns the service of this checkout and, with `--compare`, of another one. */
export function listServices(
  { compare, parallel }: Options,
): Readonly<Record<string, Start>> {
  return {
    service: () => startService({ parallel }),
    ...compare && { other: () => startService({ folder: compare, parallel }) },
  };
}

/** Returns a function that tests whether `--only` selects an operation. */
export function isChosen({ only }: Options) {
  return ({ name }: Pick<Operation, "name">) =>
    only.some((part) => name.includes(part));
}

const node = ["node", "bench/node/server.mjs"];
const deno = [
  ...[Deno.execPath(), "run", "--lock=tests/deno.lock", "--allow-all"],
  "bench/_peers.ts",
];

/** The other servers. */
export const PEERS: Readonly<Record<string, Start>> = {
  bare: (path) => startProcess([...deno, "bare", path]),
  Hono: () => startProcess([...deno, "Hono"]),
  Fastify: () => startProcess([...node, "Fastify"]),
  Express: () => startProcess([...node, "Express"]),
};
