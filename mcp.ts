/** The operations as tools of a local agent, over standard input and output. */

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createBodyReader } from "./lib/http/body.ts";
import { createToolServer } from "./lib/mcp/server.ts";
import { DEFAULT_SETTINGS } from "./lib/process/settings.ts";
import { createToolboxes } from "./routes/mcp.ts";
import { ROUTES } from "./routes/mod.ts";

const toolbox = createToolboxes(ROUTES)({
  readBody: createBodyReader(DEFAULT_SETTINGS),
  isStopping: () => false,
});
serveStdio(() => createToolServer(toolbox), { maxSubscriptions: 0 });
