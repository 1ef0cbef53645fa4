/** Large requests that wait for room, from outside. */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  RawConnection,
  type ServerProcess,
  startServer,
  testOnPosix,
  waitFor,
} from "../_server.ts";

const LENGTH = 1_000_000;

/** A hash of 1 MB without its last byte, so that it cannot be answered. */
const UNFINISHED = `POST /api/hash HTTP/1.1\r
Host: h\r
Content-Length: ${LENGTH}\r
\r
` + '{"algorithm":"sha1","input":"a"'.padEnd(LENGTH - 1);

const CLOSES = /^connection: close$/im;

/** Opens connections that send all of a request except its last byte. */
async function openUnfinished(
  scope: DisposableStack,
  server: ServerProcess,
  count: number,
): Promise<RawConnection[]> {
  const bytes = new TextEncoder().encode(UNFINISHED);
  const clients: RawConnection[] = [];
  for (let i = 0; i < count; i += 1) {
    const client = scope.use(await RawConnection.open(server));
    await client.send(bytes);
    clients.push(client);
  }
  return clients;
}

testOnPosix(
  "requests that wait when the server stops get 503, and those with room their answer",
  async () => {
    await using server = await startServer();
    using scope = new DisposableStack();
    const clients = await openUnfinished(scope, server, 120);
    // Meanwhile more of them get room.
    await delay(1_000);
    server.kill("SIGTERM");
    await waitFor(() => server.log().includes("stopping on SIGTERM"));
    // Longer than the server takes to reject them, and shorter than it waits for bodies.
    await delay(1_500);
    const counts: Record<number, number> = { 200: 0, 503: 0 };
    await Promise.all(clients.map(async (client) => {
      await client.send("}");
      const { status, head, body } = await client.receive();
      counts[status] = (counts[status] ?? 0) + 1;
      assertMatch(head, CLOSES);
      if (status !== 503) return;
      assertMatch(head, /^retry-after: \d+$/im);
      assertMatch(body, /^\{"error":"too many large requests .+"\}$/);
    }));
    const { 200: answered, 503: rejected } = counts;
    assertEquals(Object.keys(counts), ["200", "503"]);
    // At most 60 fit into 64 MiB.
    assert(answered! >= 8 && rejected! >= 60, JSON.stringify(counts));
    assertEquals((await server.status).code, 0);
  },
);

Deno.test("connections close after large answers while more than 96 wait", async () => {
  await using server = await startServer();
  using scope = new DisposableStack();
  const clients = await openUnfinished(scope, server, 200);
  const closed: boolean[] = [];
  for (const client of clients) {
    await client.send("}");
    const { status, head } = await client.receive();
    assertEquals(status, 200);
    const isClosing = CLOSES.test(head);
    if (isClosing) assert(await client.isClosed());
    closed.push(isClosing);
  }
  assertEquals([closed[0], closed.at(-1)], [true, false]);
});

Deno.test("a request that finds 1,024 others waiting gets 503 at once, before one of those", async () => {
  await using server = await startServer();
  using scope = new DisposableStack();
  await openUnfinished(scope, server, 64);
  const head = UNFINISHED.slice(0, 100);
  const waiting: RawConnection[] = [];
  for (let i = 0; i < 1_100; i += 1) {
    const client = scope.use(await RawConnection.open(server));
    await client.send(head);
    waiting.push(client);
  }
  const answer = await Promise.race([
    waiting.at(-1)!.receive(),
    waiting[0]!.receive().then(() => "the first one is answered"),
  ]);
  assert(typeof answer === "object", answer as string);
  assertEquals(answer.status, 503);
  assertMatch(answer.head, /^retry-after: \d+$/im);
});
