/** The servers of the comparison. */

import {
  type ServerProcess,
  startProcess,
  startServer,
} from "../tests/_server.ts";
import type { Operation } from "./_operations.ts";

/** Starts a server for an operation. */
export type Starter = (operation: Operation) => Promise<ServerProcess>;

function locate(path: string): string {
  return new URL(path, import.meta.url).pathname;
}

function denoRun(script: string, ...args: string[]): Promise<ServerProcess> {
  return startProcess([
    Deno.execPath(),
    "run",
    "--no-prompt",
    "--allow-net=127.0.0.1",
    locate(script),
    ...args,
  ]);
}

/** The service and the servers that it is compared with. */
export const SERVERS: Readonly<Record<string, Starter>> = {
  service: () => startServer(),
  baseline: ({ baseline }) => denoRun("servers/baseline.ts", baseline),
  Hono: () => denoRun("servers/hono.ts"),
  Fastify: () => startProcess(["node", locate("node/fastify.js")]),
  Express: () => startProcess(["node", locate("node/express.js")]),
};

/** The two ways to start the service. */
export const PARALLEL: Readonly<Record<string, Starter>> = {
  "all cores": () => startServer({}, { isParallel: true }),
  "one process": () => startServer(),
};
