/**
 * The five operations as tools for a local agent, over standard input and output:
 * what `POST /mcp` answers, a message a line.
 *
 * @module
 */

import { Budget } from "../lib/load/budget.ts";
import { Deadlines } from "../lib/load/deadlines.ts";
import { Scheduler } from "../lib/load/scheduler.ts";
import { createCallTool } from "../lib/mcp/call.ts";
import type { StdioOptions } from "../lib/mcp/stdio.ts";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { SERVER } from "./mcp.ts";
import { ROUTES } from "./mod.ts";

/**
 * Serves one client until its input ends and every call is answered. What the
 * options leave out is standard input, standard output and the default limit.
 */
export async function serveStdio(
  {
    input = Deno.stdin.readable,
    output = Deno.stdout.writable,
    maxMessageBytes = DEFAULT_SETTINGS.maxBodyBytes,
  }: Partial<StdioOptions> = {},
): Promise<void> {
  const { serveTools } = await import("../lib/mcp/stdio.ts");
  const callTool = createCallTool(ROUTES);
  const context = {
    // Stands for the request of an endpoint whose fields are given.
    request: new Request("http://localhost/"),
    // The machine is the client's own.
    budget: new Budget(Infinity),
    scheduler: new Scheduler(),
    deadlines: new Deadlines(),
    ...DEFAULT_SETTINGS,
    maxBodyBytes: maxMessageBytes,
    isStopping: () => false,
  };
  await serveTools(
    { ...SERVER, callTool: (tool, args) => callTool(tool, args, context) },
    { input, output, maxMessageBytes },
  );
}
