/** The service, of this and another checkout, and the servers that it is compared with. */

import { type ServerProcess, startProcess } from "../tests/_server.ts";
import type { Operation } from "./_operations.ts";
import type { Options } from "./main.ts";

/** Starts a server. The bare one supports only this path. */
export type Start = (path: string) => Promise<ServerProcess>;

/** Starts the service of a checkout by the command of its task, on a free port. */
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

/** The service of this checkout, and of the one that the option `--beside` names. */
export function listServices(
  { beside, parallel }: Options,
): Readonly<Record<string, Start>> {
  return {
    service: () => startService({ parallel }),
    ...beside && { beside: () => startService({ folder: beside, parallel }) },
  };
}

/** Returns a function that tests whether the option `--only` chooses an operation. */
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
