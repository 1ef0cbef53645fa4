/** The service in one process with one thread. */

import config from "./deno.json" with { type: "json" };
import { runProgram } from "./lib/process/program.ts";
import { Server } from "./lib/process/server.ts";
import { createHandler } from "./routes/mod.ts";

runProgram(config.version, {
  serve(settings) {
    const server = new Server();
    const isStopping = () => server.isStopping;
    server.listen(createHandler({ ...settings, isStopping }), settings);
    return server;
  },
  // Loaded only on use, so that the server starts fast.
  serveAgent: async () => (await import("./mcp.ts")).serveAgent(),
});
