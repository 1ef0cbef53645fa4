/** Guarantees beside clients that are slow, and that send or take much. */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ignoreClosed, RawConnection } from "../_connection.ts";
import { run, startServer, testOnLinux, testTogether } from "../_server.ts";
import { waitFor } from "../_within.ts";
import {
  ask,
  askDeep,
  assertSmallAnswered,
  countUntil,
  DEEP_RESULT,
  DIGEST,
  HASH,
  holdResults,
  LARGE_REQUEST,
  openMany,
  post,
  postHead,
  read,
  SMALL_REQUEST,
  toChunk,
} from "./_exchanges.ts";

testTogether("slow clients get what they need, and leave room for others", {
  "large requests are answered while 400 clients send 1 KB/s": async () => {
    // Only the clients that are too slow can make room.
    await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
    const clients = await openMany(server, 400);
    const head = postHead("/api/hash", 700_000);
    for (const client of clients) await client.send(head);
    using large = await RawConnection.open(server);
    let isOver = false;
    // It is refused if there is no room for it after 10 s.
    const answer = ask(large, post("/api/hash", HASH, 700_000))
      .finally(() => isOver = true);
    while (!isOver) {
      // The service may refuse a slow client, and close the connection.
      for (const client of clients) {
        await ignoreClosed(client.send("a".repeat(100)));
      }
      await delay(100);
    }
    assertEquals(await answer, 200);
  },
  "results that are not read make room for a client that retries": async () => {
    await using server = await startServer();
    const results = await holdResults(server, 40);
    await waitFor(async () => await askDeep(server) === 200);
    const sizes = await Promise.all(results.map((result) => read(result)));
    const whole = sizes.filter((bytes) => bytes > DEEP_RESULT.length).length;
    assert(whole <= 32, `${whole} results of 8 MiB were held`);
  },
});

Deno.test("large requests progress while small ones come without a pause", async () => {
  await using server = await startServer();
  using large = await RawConnection.open(server);
  using small = await RawConnection.open(server);
  for (let i = 0; i < 3; i += 1) {
    await countUntil(ask(large, LARGE_REQUEST), small, SMALL_REQUEST);
  }
});

Deno.test("a body in very many tiny chunks is refused and harms no other client", async (t) => {
  // On a busy machine the chunks may take longer than the default.
  await using server = await startServer({ BODY_TIMEOUT_MS: "60000" });
  const rows = [
    [1_000_000, 1, 400],
    [16_500, 15, 400],
    [16_384, 1, 200],
    [16_384, 16, 200],
    [60_000, 17, 200],
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
      const answer = await connection.receive();
      assertEquals(answer.status, status, answer.body);
      assertMatch(answer.body, status === 400 ? /chunk/ : new RegExp(DIGEST));
      await assertSmallAnswered(server);
      if (status === 400) {
        using small = await RawConnection.open(server);
        const closing = connection.isClosed().then(() => 200);
        const answered = await countUntil(closing, small, SMALL_REQUEST);
        // To read all chunks would take as long as a thousand requests.
        assert(answered < 200, `closed after ${answered} small requests`);
      }
      await sending;
    });
  }
});

testOnLinux(
  "200 connections that wait after a body of 600 KB hold at most 1 MB each",
  async () => {
    await using server = await startServer();
    async function measureKilobytes(): Promise<number> {
      const { output } = await run(["cat", `/proc/${server.pid}/status`]);
      return Number(/VmRSS:\s+(\d+) kB/.exec(output)![1]);
    }
    const request = post("/api/hash", HASH, 600_000);
    const before = await measureKilobytes();
    for (const connection of await openMany(server, 200)) {
      assertEquals(await ask(connection, request), 200);
    }
    const growth = await measureKilobytes() - before;
    assert(growth < 200 * 1_000, `${growth} KB`);
  },
);
