/** How long a stop takes at most, and which large results come before its end. */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import type { RawAnswer } from "../_connection.ts";
import { sendHttp2 } from "../_http2.ts";
import { type ServerProcess, startServer, testOnPosix } from "../_server.ts";
import {
  DEEP,
  DEEP_RESULT,
  openMany,
  postHead,
} from "../guarantees/_exchanges.ts";
import {
  checkHealth,
  FORMAT_DEEP,
  stop,
  stopBeforeResults,
} from "../process/_stop.ts";

testOnPosix(
  "the server stops within 10 seconds although clients stall and new ones connect",
  async () => {
    // The time for a body does not pass before.
    await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
    const [body, head, reader] = await openMany(server, 4);
    await body!.send(`${postHead("/api/hash", 100)}{`);
    await head!.send("GET /healthz HTTP/1.1\r\n");
    await reader!.send(FORMAT_DEEP);
    await checkHealth(server);
    const start = performance.now();
    server.kill("SIGTERM");
    let isOver = false;
    const ending = server.status.finally(() => isOver = true);
    while (!isOver) {
      const [client] = await openMany(server, 1).catch(() => []);
      await client?.send("GET /api/uuid HTTP/1.1\r\nHost: h\r\n\r\n")
        .catch(() => {});
      await delay(50);
    }
    assertEquals((await ending).code, 0);
    const seconds = (performance.now() - start) / 1_000;
    assert(seconds < 10, `it took ${seconds} s`);
  },
);

/**
 * Stops a server while clients ask for results of 8 MiB: first those that do not read, then
 * others. Returns the responses to the others.
 */
async function stopBesideReaders(
  server: ServerProcess,
  { unread, whole }: { readonly unread: number; readonly whole: number },
): Promise<RawAnswer[]> {
  const clients = await openMany(server, whole);
  for (const each of clients) await each.send(FORMAT_DEEP.slice(0, -1));
  await checkHealth(server);
  await stop(server);
  const request = { path: "/api/json", body: JSON.stringify(DEEP) };
  for (let i = 0; i < unread; i += 1) {
    server.scope.use(await sendHttp2(server, request));
  }
  // Now those that do not read have all memory that results can have, and others wait.
  await delay(1_000);
  return await Promise.all(clients.map(async (client) => {
    await client.send("}");
    return await client.receive();
  }));
}

testOnPosix(
  "eight results of 8 MiB come whole from a server that stops",
  async () => {
    await using server = await startServer();
    await stopBeforeResults(server, 8);
  },
);

testOnPosix(
  "results of 8 MiB come whole from a server that shuts down, next to 40 that are not read",
  async () => {
    await using server = await startServer();
    const answers = await stopBesideReaders(server, { unread: 40, whole: 2 });
    for (const { status, body } of answers) {
      assert(status === 200 && JSON.parse(body).result === DEEP_RESULT, body);
    }
    assertEquals((await server.status).code, 0);
  },
);
