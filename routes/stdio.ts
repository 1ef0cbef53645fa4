/**
 * The five operations as tools for a local agent, over standard input and output:
 * what `POST /mcp` answers, a message a line.
 *
 * @module
 */

import { Memory } from "../lib/http/memory.ts";
import { Turns } from "../lib/http/turns.ts";
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
    // The one client's own machine holds what it sends.
    memory: new Memory(Infinity),
    turns: new Turns(),
    readBody: () => Promise.reject(new Error("the fields are given")),
    maxBodyBytes: maxMessageBytes,
    isStopping: () => false,
  };
  await serveTools(
    { ...SERVER, callTool: (tool, args) => callTool(tool, args, context) },
    { input, output, maxMessageBytes },
  );
}
