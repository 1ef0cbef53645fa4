/** A worker that cannot listen. */

import { serveInWorker } from "../../lib/process/cluster.ts";

Deno.serve = () => {
  throw new Deno.errors.AddrNotAvailable("no such address");
};

serveInWorker(() => () => new Response());
