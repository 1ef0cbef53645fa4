/** Guarantees beside clients that are slow, and that send or take much. */

import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ignoreClosed, RawConnection } from "../_connection.ts";
import { run, startServer, testOnLinux, testTogether } from "../_server.ts";
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
  requestResult,
  SMALL_REQUEST,
  toChunk,
} from "./_exchanges.ts";

testTogether("slow clients get what they need, and leave room for others", {
  "a client that reads 80 KiB/s gets its whole result while the room is full":
    async () => {
      await using server = await startServer();
      const input = "[".repeat(380) + "]".repeat(380);
      const result = JSON.stringify(JSON.parse(input), null, 2);
      const slow = requestResult(server, { action: "format", input });
      await once(slow, "response");
      let isOver = false;
      const reading = read(slow, () => 80).finally(() => isOver = true);
      for (let i = 0; i < 10; i += 1) requestResult(server);
      while (!isOver) {
        requestResult(server);
        await delay(100);
      }
      const { length } = `${JSON.stringify({ result, valid: true })}\n`;
      assertEquals(await reading, length);
    },
  "clients that read 8 MiB at 100 KiB/s leave room for the results of others":
    async () => {
      await using server = await startServer();
      const results = await holdResults(server, 3);
      let speed = 100;
      const reading = results.map((result) => read(result, () => speed));
      const asked = await Promise.all([askDeep(server), askDeep(server)]);
      speed = Infinity;
      assertEquals(asked, [200, 200]);
      const sizes = await Promise.all(reading);
      assert(sizes.every((bytes) => bytes > DEEP_RESULT.length), `${sizes}`);
    },
  "clients that read results of 8 MiB slowly do not keep the bodies of others away":
    async () => {
      await using server = await startServer();
      for (let i = 0; i < 7; i += 1) read(requestResult(server), () => 120);
      // Their results take all memory that results can have.
      await delay(1_000);
      using client = await RawConnection.open(server);
      for (let i = 0; i < 3; i += 1) {
        assertEquals(await ask(client, LARGE_REQUEST), 200);
      }
    },
  "large requests are answered while 400 clients send 1 KB/s": async () => {
    await using server = await startServer();
    const clients = await openMany(server, 400);
    const head = postHead("/api/hash", 700_000);
    for (const client of clients) await client.send(head);
    using large = await RawConnection.open(server);
    let pieces = 0;
    let isOver = false;
    const answer = ask(large, post("/api/hash", HASH, 700_000))
      .finally(() => isOver = true);
    for (; !isOver; pieces += 1) {
      // The service may refuse a slow client, and close the connection.
      for (const client of clients) {
        await ignoreClosed(client.send("a".repeat(100)));
      }
      await delay(100);
    }
    assertEquals(await answer, 200);
    assert(pieces < 40, `answered after ${pieces} pieces of each client`);
  },
  "results that are not read make room for a client that retries": async () => {
    await using server = await startServer();
    const results = await holdResults(server, 10);
    await Promise.all([askDeep(server), askDeep(server), askDeep(server)]);
    let status = 503;
    for (let attempt = 0; status === 503 && attempt < 5; attempt += 1) {
      await delay(1_000);
      status = await askDeep(server);
    }
    assertEquals(status, 200);
    const sizes = await Promise.all(results.map((result) => read(result)));
    const whole = sizes.filter((bytes) => bytes > DEEP_RESULT.length).length;
    assert(whole <= 8, `${whole} results of 8 MiB were held`);
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
      // To read all chunks would take the service half a minute.
      const isOver = status === 200 || connection.isClosed();
      assert(await Promise.race([isOver, delay(5_000)]), "it reads on");
      const answered = assertSmallAnswered(server).then(() => true);
      assert(await Promise.race([answered, delay(5_000)]), "it stands still");
      await sending;
    });
  }
});

Deno.test("strings that collide in the engine's table take no longer than others", async () => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  async function measure(step: number): Promise<number> {
    const numbers = Array.from({ length: 1e4 }, (_, i) => `${(i + 1) * step}`);
    const start = performance.now();
    for (let i = 0; i < 10; i += 1) {
      assertEquals(await ask(connection, post("/api/hash", { numbers })), 400);
    }
    return performance.now() - start;
  }
  const ordinary = await measure(65_537);
  // Multiples of a power of two share their place in the table.
  const colliding = await measure(65_536);
  assert(colliding < 4 * ordinary, `${ordinary} and ${colliding} ms`);
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
