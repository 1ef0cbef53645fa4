/** The service in a worker that `parallel.ts` starts. */

import { serveInWorker } from "./lib/process/cluster.ts";
import { logInBackground, logUnhandledRejections } from "./lib/log.ts";
import { Environment } from "./lib/process/settings.ts";
import { createHandler } from "./routes/mod.ts";

logUnhandledRejections();
if (!new Environment().mayHaveTelemetry) logInBackground();
serveInWorker(createHandler);
