/** What a stop waits for, with a clock that the test moves. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { Cluster } from "../../lib/process/cluster.ts";
import { Server } from "../../lib/process/server.ts";
import { DEFAULT_SETTINGS } from "../../lib/process/settings.ts";
import { type Clock, stopClock } from "../_clock.ts";
import { replace } from "../_replace.ts";
import { RawConnection } from "../_server.ts";
import { FakeWorker } from "./_fakes.ts";

const LOOPBACK = { host: "127.0.0.1", port: 0 };
const REQUEST = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

/** Lets time pass until something has happened; sockets go on meanwhile. */
async function passUntil<Value>(
  clock: Clock,
  event: Promise<Value>,
): Promise<Value> {
  let hasHappened = false;
  const settle = () => hasHappened = true;
  event.then(settle, settle);
  while (!hasHappened) await clock.pass(20);
  return await event;
}

Deno.test("a stop lets a keep-alive client send one more request within 200 ms, and tells it to close", async () => {
  using clock = stopClock();
  const server = new Server();
  let hasCome = Promise.withResolvers<void>();
  const port = server.listen(() => {
    hasCome.resolve();
    return new Response("x");
  }, LOOPBACK);
  using connection = await RawConnection.open({ port });
  await connection.send(REQUEST);
  assertEquals((await connection.receive()).status, 200);
  hasCome = Promise.withResolvers();
  const stopped = server.stop();
  await clock.pass(180);
  await connection.send(REQUEST);
  const answer = connection.receive();
  await Promise.race([hasCome.promise, answer]);
  const { status, head } = await passUntil(clock, answer);
  assertEquals(status, 200);
  assertMatch(head, /^connection: close$/im);
  await passUntil(clock, stopped);
});

Deno.test("a stop waits 200 ms after the last request, but not much more than half a second", async () => {
  using clock = stopClock();
  const server = new Server();
  let hasCome = Promise.withResolvers<void>();
  const port = server.listen(() => {
    hasCome.resolve();
    return new Response("x");
  }, LOOPBACK);
  let isStopped = false;
  const stopped = server.stop().then(() => isStopped = true);
  let clients = 0;
  for (; !isStopped; clients += 1) {
    const connection = await RawConnection.open({ port }).catch(() =>
      undefined
    );
    if (connection === undefined) break;
    hasCome = Promise.withResolvers();
    await connection.send(REQUEST);
    // Where the listener has just closed, it is reset instead.
    const isReset = connection.receive().catch(() => {});
    await Promise.race([hasCome.promise, isReset]);
    await clock.pass(40);
    connection[Symbol.dispose]();
  }
  assert(5 < clients && clients < 20, `it waited for ${clients} clients`);
  await passUntil(clock, stopped);
});

Deno.test("a stop lets a body arrive for seconds", async () => {
  using clock = stopClock();
  const server = new Server();
  const arrived = Promise.withResolvers<void>();
  const port = server.listen(async (request) => {
    const text = await request.text();
    if (text !== "") arrived.resolve();
    return new Response(text);
  }, LOOPBACK);
  using connection = await RawConnection.open({ port });
  await connection.send(
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n1",
  );
  // An answer on another connection says that the first request has come.
  using other = await RawConnection.open({ port });
  await other.send(REQUEST);
  await other.receive();
  const stopped = server.stop();
  await clock.pass(3_000);
  await connection.send("2");
  const answer = connection.receive();
  await Promise.race([arrived.promise, answer]);
  assertEquals((await passUntil(clock, answer)).body, "12");
  await passUntil(clock, stopped);
});

Deno.test("a stop has closed the listener when it says so", async () => {
  using clock = stopClock();
  const server = new Server();
  const port = server.listen(() => new Response("x"), LOOPBACK);
  let isFree = false;
  await passUntil(
    clock,
    server.stop(() => {
      // Throws while anybody listens.
      Deno.listen({ hostname: LOOPBACK.host, port }).close();
      isFree = true;
      return Promise.resolve();
    }),
  );
  assert(isFree);
});

Deno.test("a cluster holds answers until every worker has closed", async () => {
  using clock = stopClock();
  const { serve } = Deno;
  using _serve = replace(Deno, {
    // Sharing a port is not what is tested, and takes a flag.
    serve: ((options: Deno.ServeTcpOptions, handler: Deno.ServeHandler) =>
      serve({ ...options, reusePort: false }, handler)) as typeof Deno.serve,
  });
  using workers = FakeWorker.install();
  using _cores = replace(navigator, { hardwareConcurrency: 2 });
  const cluster = new Cluster();
  let hasCome = Promise.withResolvers<void>();
  const handler = () => {
    hasCome.resolve();
    return new Response("x");
  };
  cluster.listen(() => handler, {
    ...DEFAULT_SETTINGS,
    host: LOOPBACK.host,
    port: 0,
  }, "");
  const [worker] = workers.all;
  worker!.say("ready");
  await clock.pass(0);
  const [{ listen: { port } }] = worker!.orders as [
    { listen: { port: number } },
  ];
  using connection = await RawConnection.open({ port });
  await connection.send(REQUEST);
  await connection.receive();
  hasCome = Promise.withResolvers();
  const stopped = cluster.stop();
  await connection.send(REQUEST);
  await hasCome.promise;
  let isAnswered = false;
  const answer = connection.receive().finally(() => isAnswered = true);
  await clock.pass(3_000);
  assertEquals(worker!.orders.slice(1), ["stop"]);
  assert(!isAnswered, "the client may come back to the worker");
  worker!.say("closed");
  const { status, head } = await passUntil(clock, answer);
  assertEquals(status, 200);
  assertMatch(head, /^connection: close$/im);
  assertEquals(worker!.orders.slice(1), ["stop", "depart"]);
  worker!.say("stopped");
  await passUntil(clock, stopped);
});
