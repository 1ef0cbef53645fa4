/** Helpers of tests that shut down a server. */

import { DEEP, post } from "../guarantees/_exchanges.ts";
import type { ServerProcess } from "../_server.ts";
import { fetchStatus, waitFor } from "../_within.ts";

/** Requests a result of 8 MiB. */
export const FORMAT_DEEP = post("/api/json", DEEP);

/** Sends a signal, and waits until the server has received it. */
export async function shutDown(
  server: ServerProcess,
  signal: Deno.Signal = "SIGTERM",
): Promise<void> {
  server.kill(signal);
  await waitFor(() => server.log().includes(`shutting down on ${signal}`));
}

/** Sends a request. Its response shows that the server has received all earlier requests. */
export async function checkHealth(server: ServerProcess): Promise<void> {
  await fetchStatus(`${server.origin}/healthz`);
}
