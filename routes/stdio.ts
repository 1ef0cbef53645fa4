/**
 * The five operations as tools for a local agent, over standard input and output: the
 * same messages as `POST /mcp`, one per line.
 *
 * @module
 */

import { Load, NO_LIMITS } from "../lib/load/load.ts";
import { createCallTool } from "../lib/mcp/call.ts";
import type { StdioOptions } from "../lib/mcp/stdio.ts";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { SERVER } from "./mcp.ts";
import { ROUTES } from "./mod.ts";

/**
 * Serves one client until its input ends and every call received is answered. By
 * default it uses standard input, standard output and a limit of 1 MiB per message.
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
  const isStopping = () => false;
  const load = new Load({
    limits: NO_LIMITS,
    maxBodyBytes: maxMessageBytes,
    bodyTimeoutMs: DEFAULT_SETTINGS.bodyTimeoutMs,
    isStopping,
  });
  await serveTools(
    {
      ...SERVER,
      callTool(tool, args) {
        // The endpoints do not read it: they get the parsed fields or query. The
        // scheduler tells calls apart by it.
        const request = new Request("http://localhost/");
        return callTool(tool, args, { request, load, isStopping });
      },
    },
    { input, output, maxMessageBytes },
  );
}
