/** The service as a process. */

import config from "./deno.json" with { type: "json" };
import { runProgram } from "./lib/process/program.ts";
import { Server } from "./lib/process/server.ts";
import { createHandler } from "./routes/mod.ts";

runProgram(config.version, (settings) => {
  const server = new Server();
  const isStopping = () => server.isStopping;
  server.listen(createHandler({ ...settings, isStopping }), settings);
  return server;
});
