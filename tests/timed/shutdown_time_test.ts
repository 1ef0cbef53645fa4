/** The longest time of a shutdown, and the responses that clients get in it. */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { startServer, testOnPosix } from "../_server.ts";
import {
  DEEP_RESULT,
  openMany,
  postHead,
  requestResult,
} from "../guarantees/_exchanges.ts";
import { checkHealth, FORMAT_DEEP, shutDown } from "../process/_shutdown.ts";

testOnPosix(
  "a server with stalled clients shuts down within 10 seconds, and sends 503 for unfinished bodies",
  async () => {
    // No body times out before the shutdown.
    await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
    const [small, large, head, silent, reader] = await openMany(server, 5);
    await small!.send(`${postHead("/api/hash", 100)}{`);
    await large!.send(`${postHead("/api/hash", 900_000)}{`);
    await head!.send("GET /healthz HTTP/1.1\r\n");
    await reader!.send(FORMAT_DEEP);
    await checkHealth(server);
    const start = performance.now();
    server.kill("SIGTERM");
    let isOver = false;
    const ending = server.status.finally(() => isOver = true);
    const unfinished = [small, large].map((client) => client!.receive());
    while (!isOver) {
      const [client] = await openMany(server, 1).catch(() => []);
      // The system resets a connection that is made just as the listener closes.
      await client?.send("GET /api/uuid HTTP/1.1\r\nHost: h\r\n\r\n")
        .catch(() => {});
      await delay(50);
    }
    assertEquals((await ending).code, 0);
    const seconds = (performance.now() - start) / 1_000;
    assert(seconds < 10, `it took ${seconds} s`);
    assert(await silent!.isClosed());
    for (const { status, head, body } of await Promise.all(unfinished)) {
      assertEquals(status, 503, body);
      assertMatch(head, /^retry-after: \d+$/im);
      const error = "the service is shutting down, please try again";
      assertEquals(JSON.parse(body), { error });
    }
  },
);

testOnPosix(
  "clients that read get results of 8 MiB during a shutdown, next to 40 that don't read",
  async () => {
    await using server = await startServer();
    const clients = await openMany(server, 2);
    for (const each of clients) await each.send(FORMAT_DEEP.slice(0, -1));
    await checkHealth(server);
    await shutDown(server);
    for (let i = 0; i < 40; i += 1) requestResult(server);
    // Now the clients that don't read use all memory for results, and others wait.
    await delay(1_000);
    await Promise.all(clients.map(async (client) => {
      await client.send("}");
      const { status, body } = await client.receive();
      assert(status === 200 && JSON.parse(body).result === DEEP_RESULT, body);
    }));
    assertEquals((await server.status).code, 0);
  },
);
