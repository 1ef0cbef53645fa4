/** The service in a worker of `parallel.ts`. */

import { serveInWorker } from "./lib/process/cluster.ts";
import { surviveRejections } from "./lib/log.ts";
import { createHandler } from "./routes/mod.ts";

surviveRejections();
serveInWorker(createHandler);
