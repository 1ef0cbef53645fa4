/** Guarantees while other clients are slow, over real sockets. */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ignoreClosed, RawConnection } from "../_connection.ts";
import { startServer, testOnLinux } from "../_server.ts";
import {
  ask,
  assertSmallRequestsSucceed,
  countUntil,
  DIGEST,
  HASH,
  LARGE_REQUEST,
  openMany,
  post,
  postHead,
  readKilobytes,
  SMALL_REQUEST,
  toChunk,
} from "./_exchanges.ts";

Deno.test("large requests succeed while 200 clients send 1 KB/s", async () => {
  // Only the slow clients can release slots.
  await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
  const clients = await openMany(server, 200);
  const head = postHead("/api/hash", 700_000);
  for (const client of clients) await client.send(head);
  using large = await RawConnection.open(server);
  let isOver = false;
  // It is rejected if it finds no slot within 10 s.
  const pending = ask(large, post("/api/hash", HASH, 700_000))
    .finally(() => isOver = true);
  while (!isOver) {
    // The service can reject a slow client and close the connection.
    for (const client of clients) {
      await ignoreClosed(client.send("a".repeat(100)));
    }
    await delay(100);
  }
  assertEquals(await pending, 200);
});

Deno.test("large requests progress while small ones arrive without a pause", async () => {
  await using server = await startServer();
  using large = await RawConnection.open(server);
  using small = await RawConnection.open(server);
  for (let i = 0; i < 3; i += 1) {
    await countUntil(ask(large, LARGE_REQUEST), small, SMALL_REQUEST);
  }
});

Deno.test("a body in very many tiny chunks is rejected and delays no other client", async (t) => {
  // On a busy computer, sending the chunks can exceed the default.
  await using server = await startServer({ BODY_TIMEOUT_MS: "60000" });
  const rows = [
    [200_000, 1, 400],
    [16_384, 1, 200],
    [17_000, 17, 200],
  ] as const;
  for (const [count, size, status] of rows) {
    await t.step(`${count} chunks of ${size} bytes`, async () => {
      const body = JSON.stringify(HASH).padEnd(count * size);
      const chunks = Array.from(
        { length: count },
        (_, i) => toChunk(body.slice(i * size, (i + 1) * size)),
      );
      using connection = await RawConnection.open(server);
      const request = `${postHead("/api/hash")}${chunks.join("")}0\r\n\r\n`;
      const sending = ignoreClosed(
        connection.send(new TextEncoder().encode(request)),
      );
      const response = await connection.receive();
      assertEquals(response.status, status, response.body);
      assertMatch(response.body, status === 400 ? /chunk/ : new RegExp(DIGEST));
      await assertSmallRequestsSucceed(server);
      if (status === 400) {
        using small = await RawConnection.open(server);
        const closing = connection.isClosed().then(() => 200);
        const count = await countUntil(closing, small, SMALL_REQUEST);
        // Reading all chunks would last as long as 200 requests.
        assert(count < 60, `closed after ${count} small requests`);
      }
      await sending;
    });
  }
});

testOnLinux(
  "200 idle connections after a body of 600 KB cost at most 1 MB each",
  async () => {
    await using server = await startServer();
    const request = post("/api/hash", HASH, 600_000);
    const before = await readKilobytes(server, "VmRSS");
    for (const connection of await openMany(server, 200)) {
      assertEquals(await ask(connection, request), 200);
    }
    const growth = await readKilobytes(server, "VmRSS") - before;
    assert(growth < 200 * 1_000, `${growth} kB`);
  },
);
