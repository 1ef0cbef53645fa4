/**
 * Serves the tools to a local agent, over standard input and output. The messages are
 * those of `POST /mcp`, one per line.
 */

import type { Route } from "../http/router.ts";
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
  await serveTools({ ...server, callTool: createCallTool(routes) }, options);
}
