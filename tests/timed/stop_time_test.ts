/** How long a stop takes at most. */

import { assert, assertEquals } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { DEEP, openMany, post, postHead } from "../guarantees/_exchanges.ts";
import { NEEDS_POSIX, startServer } from "../_server.ts";
import { fetchWithin } from "../_within.ts";

Deno.test({
  name:
    "the server stops within 10 seconds although clients stall and new ones connect (needs POSIX)",
  ...NEEDS_POSIX,
  async fn() {
    // The time for a body does not pass before.
    await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
    const [body, head, reader] = await openMany(server, 4);
    await body!.send(`${postHead("/api/hash", 100)}{`);
    await head!.send("GET /healthz HTTP/1.1\r\n");
    await reader!.send(post("/api/json", DEEP));
    await (await fetchWithin(`${server.origin}/healthz`)).body?.cancel();
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
});
