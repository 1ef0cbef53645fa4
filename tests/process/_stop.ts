/** The stop of a server, and requests that come before it. */

import { DEEP, post } from "../guarantees/_exchanges.ts";
import type { ServerProcess } from "../_server.ts";
import { fetchWithin, waitFor } from "../_within.ts";

/** Asks for a result of 8 MiB. */
export const FORMAT_DEEP = post("/api/json", DEEP);

/** Sends a signal, and waits until the server has it. */
export async function stop(
  server: ServerProcess,
  signal: Deno.Signal = "SIGTERM",
): Promise<void> {
  server.kill(signal);
  await waitFor(() => server.log().includes(`stopping on ${signal}`));
}

/** Sends a request whose response means that the server has all earlier ones. */
export async function checkHealth(server: ServerProcess): Promise<void> {
  const response = await fetchWithin(`${server.origin}/healthz`);
  await response.body?.cancel();
}
