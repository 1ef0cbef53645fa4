/** The operations as tools of a local agent, over standard input and output. */

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createToolServer } from "./lib/mcp/server.ts";
import { createToolboxes } from "./routes/mcp.ts";
import { ROUTES } from "./routes/mod.ts";

const toolbox = createToolboxes(ROUTES)({
  // The arguments are here already: nobody can stall, and the package bounds them.
  readBody: async (request, parse) => parse(await request.bytes()),
  isStopping: () => false,
});
serveStdio(() => createToolServer(toolbox), { maxSubscriptions: 0 });
