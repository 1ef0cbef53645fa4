/** The service on all cores: one server on this thread and one in a worker for each other core. */

import config from "./deno.json" with { type: "json" };
import { Cluster } from "./lib/process/cluster.ts";
import { runProgram } from "./lib/process/program.ts";
import { createHandler } from "./routes/mod.ts";

runProgram(config.version, {
  serve(settings) {
    const cluster = new Cluster();
    const worker = import.meta.resolve("./worker.ts");
    cluster.listen(createHandler, settings, worker);
    return cluster;
  },
  serveAgent: async () => (await import("./mcp.ts")).serveAgent(),
});
