/**
 * Serves the tools to a local agent, over standard input and output. The messages are
 * those of `POST /mcp`, one per line.
 */

import type { Route } from "../http/router.ts";
import { Load, NO_LIMITS } from "../load/load.ts";
import { createCallTool } from "./call.ts";
import type { Toolbox } from "./server.ts";
import type { StdioOptions } from "./stdio.ts";

/** The tools, and the endpoints that they call. */
export interface LocalServer extends Omit<Toolbox, "callTool"> {
  readonly routes: readonly Route[];
}

/** Serves one client until its input ends and every call received is answered. */
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
      // The endpoints get the parsed fields or the query. The scheduler needs a request
      // of its own for each call.
      const request = new Request("http://localhost/");
      return callTool(tool, args, { request, load, isStopping });
    },
  }, options);
}
