/**
 * The operations as tools of a local agent, over standard input and output (Model
 * Context Protocol).
 *
 * ```ts
 * import { serveAgent } from "@devutils/service/mcp";
 *
 * serveAgent();
 * ```
 *
 * @module
 */

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Memory } from "./lib/http/memory.ts";
import { Turns } from "./lib/http/turns.ts";
import { createToolServer } from "./lib/mcp/server.ts";
import { createToolboxes } from "./lib/mcp/toolbox.ts";
import { SERVICE } from "./routes/mcp.ts";
import { ROUTES } from "./routes/mod.ts";

/** Answers the messages on standard input on standard output, until input ends. */
export function serveAgent(): void {
  const toolbox = createToolboxes(ROUTES, SERVICE)({
    // What the one client sends is here already, and bounded by the package.
    memory: new Memory(Infinity),
    turns: new Turns(),
    readBody: async (request, parse) => parse(await request.bytes()),
    maxBodyBytes: Infinity,
    isStopping: () => false,
  });
  serveStdio(() => createToolServer(toolbox), { maxSubscriptions: 0 });
}

if (import.meta.main) serveAgent();
