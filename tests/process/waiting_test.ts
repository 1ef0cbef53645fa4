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

/** The start of that request, for clients that wait until the others have been received. */
const START = UNFINISHED.slice(0, 100);

const CLOSES = /^connection: close$/im;

/** Opens connections, each of which sends the same bytes. */
async function openEach(
  scope: DisposableStack,
  server: ServerProcess,
  count: number,
  text: string,
): Promise<RawConnection[]> {
  const bytes = new TextEncoder().encode(text);
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
    const clients = await openEach(scope, server, 120, UNFINISHED);
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

Deno.test("requests that find 1,024 others waiting get 503 at once, before the first of those", async () => {
  await using server = await startServer();
  using scope = new DisposableStack();
  await openEach(scope, server, 64, UNFINISHED);
  // Until they have all room that there is.
  await delay(1_500);
  const [first, ...others] = await openEach(scope, server, 1_100, START);
  let isFirstAnswered = false;
  first!.receive().then(() => isFirstAnswered = true, () => {});
  const answers: Awaited<ReturnType<RawConnection["receive"]>>[] = [];
  for (const each of others) {
    each.receive().then((answer) => answers.push(answer), () => {});
  }
  // There are 1,164 requests, of which at most 64 have room and 1,024 wait.
  await waitFor(() => answers.length >= 76);
  await delay(500);
  assert(!isFirstAnswered);
  for (const { status, head } of answers) {
    assertEquals(status, 503);
    assertMatch(head, /^retry-after: \d+$/im);
  }
});

Deno.test("bodies that come after their 408 leave nothing behind", async () => {
  await using server = await startServer({
    MAX_BODY_BYTES: "40000",
    BODY_TIMEOUT_MS: "700",
  });
  using scope = new DisposableStack();
  // Arrays make the service parse it in steps, for which it needs its turn.
  const body = `{"algorithm":"sha1","input":"a","more":${"[".repeat(17_000)}${
    "]".repeat(17_000)
  }`;
  const request = `POST /api/hash HTTP/1.1\r
Host: h\r
Content-Length: ${body.length + 1}\r
\r
${body}`;
  const clients = await openEach(scope, server, 4, request);
  for (const client of clients) {
    assertEquals((await client.receive()).status, 408);
    await client.send("}");
  }
  await delay(100);
  const [last] = await openEach(scope, server, 1, `${request}}`);
  assertEquals((await last!.receive()).status, 200);
  assertEquals(server.log().match(/rejection/), null);
});
