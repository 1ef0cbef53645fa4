/**
 * Serves the tools to a local agent, over standard input and output. The messages are
 * those of `POST /mcp`, one per line.
 */

import type { Route } from "../http/router.ts";
import { NO_LIMITS } from "../load/limits.ts";
import { Load } from "../load/load.ts";
import { createCallTool } from "./call.ts";
import type { Toolbox } from "./server.ts";
import type { StdioOptions } from "./stdio.ts";

/** The tools for a local agent, and the endpoints that the tools call. */
export interface LocalServer extends Omit<Toolbox, "callTool"> {
  readonly routes: readonly Route[];
}

/**
 * Serves one agent until the agent has closed standard input and all its calls are
 * answered.
 */
export async function serveLocalAgent(
  { routes, ...server }: LocalServer,
  options: StdioOptions,
): Promise<void> {
  const { serveTools } = await import("./stdio.ts");
  const callTool = createCallTool(routes);
  const isStopping = () => false;
  const load = new Load({
    limits: NO_LIMITS,
    maxBodyBytes: options.maxMessageBytes,
    bodyTimeoutMs: Infinity,
    isStopping,
  });
  await serveTools({
    ...server,
    callTool(tool, args) {
      // A placeholder for an HTTP request, of which there is none here. The endpoint reads
      // its arguments from the context, and uses at most the `signal` of the request, which
      // never aborts.
      const request = new Request("http://localhost/");
      return callTool(tool, args, { request, load, isStopping });
    },
  }, options);
}
