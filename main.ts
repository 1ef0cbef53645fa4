/** The service as a process. */

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
  // Loaded only when it is used: a server should start fast.
  serveAgent: async () => (await import("./mcp.ts")).serveAgent(),
});
