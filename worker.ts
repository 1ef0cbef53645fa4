/** The service in a worker that `parallel.ts` starts. */

import { serveInWorker } from "./lib/process/cluster.ts";
import { logUnhandledRejections } from "./lib/log.ts";
import { createHandler } from "./routes/mod.ts";

logUnhandledRejections();
serveInWorker(createHandler);
