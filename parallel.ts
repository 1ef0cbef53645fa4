/**
 * The service on all cores, for `deno serve --parallel`: each worker loads this
 * module. Port and address are the command's, not the environment's, and so is
 * the stop: it cuts off what is in flight.
 *
 * @module
 */

import { surviveRejections } from "./lib/log.ts";
import { readEnvironment, readSettings } from "./lib/settings.ts";
import { createHandler } from "./routes/mod.ts";

surviveRejections();

export default {
  fetch: createHandler({
    ...readSettings(readEnvironment),
    isStopping: () => false,
  }),
} satisfies Deno.ServeDefaultExport;
