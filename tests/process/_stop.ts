/** The stop of a server, and requests that come before it. */

import { assert, assertEquals } from "@std/assert";
import { DEEP, DEEP_RESULT, openMany, post } from "../guarantees/_exchanges.ts";
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
  await waitFor(() => server.log().includes(`shutting down on ${signal}`));
}

/** Sends a request whose response means that the server has all earlier ones. */
export async function checkHealth(server: ServerProcess): Promise<void> {
  const response = await fetchWithin(`${server.origin}/healthz`);
  await response.body?.cancel();
}

/** Stops a server while clients ask for results of 8 MiB, which must all come whole. */
export async function stopBeforeResults(
  server: ServerProcess,
  count: number,
): Promise<void> {
  const clients = await openMany(server, count);
  for (const client of clients) await client.send(FORMAT_DEEP.slice(0, -1));
  await checkHealth(server);
  await stop(server);
  await Promise.all(clients.map(async (client) => {
    await client.send("}");
    const { status, body } = await client.receive();
    assert(status === 200 && JSON.parse(body).result === DEEP_RESULT);
  }));
  assertEquals((await server.status).code, 0);
}
