/** A cluster and its workers, whose threads, listeners and clock are the test's. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { Cluster, serveInWorker } from "../../lib/process/cluster.ts";
import { ListenError } from "../../lib/process/server.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../lib/process/settings.ts";
import { stopClock } from "../_clock.ts";
import { captureLog, replace } from "../_replace.ts";
import { FakeWorker, replaceServe } from "./_fakes.ts";

const SETTINGS: Settings = { ...DEFAULT_SETTINGS, host: "a", port: 0 };
/** What a handler is made with. */
type Options = Parameters<Parameters<typeof serveInWorker>[0]>[0];

const REQUEST = new Request("http://localhost/");

/** What a stop takes where no request comes, in milliseconds. */
const SILENCE_MS = 201;

/** Makes handlers that answer `x`. */
function createHandler() {
  return () => new Response("x");
}

/** Cores, workers and listeners until the scope is left; `isTaken` may be set. */
function surround(cores: number) {
  const workers = FakeWorker.install();
  const serve = replaceServe();
  const looks: unknown[] = [];
  const listen = (options: Deno.TcpListenOptions) => {
    looks.push(options);
    if (surroundings.isTaken) throw new Deno.errors.AddrInUse();
    return { close() {} };
  };
  const replacements = [
    workers,
    serve,
    replace(navigator, { hardwareConcurrency: cores }),
    replace(Deno, { listen: listen as unknown as typeof Deno.listen }),
  ];
  const surroundings = {
    isTaken: false,
    looks,
    workers: workers.all,
    listeners: serve.all,
    [Symbol.dispose]() {
      for (const replaced of replacements.reverse()) replaced[Symbol.dispose]();
    },
  };
  return surroundings;
}

Deno.test("a cluster listens on one thread a core, on a port that was free", async (t) => {
  for (const cores of [1, 2, 4]) {
    await t.step(`${cores} cores`, async () => {
      using surroundings = surround(cores);
      const { looks, workers, listeners } = surroundings;
      new Cluster().listen(createHandler, SETTINGS, "file:///worker.ts");
      assertEquals(looks, [{ hostname: "a", port: 0 }]);
      assertEquals(
        listeners.map(({ options: { hostname, port, reusePort } }) => ({
          hostname,
          port,
          reusePort,
        })),
        [{ hostname: "a", port: 0, reusePort: true }],
      );
      const response = await listeners[0]!.answer(REQUEST);
      assertEquals(await response.text(), "x");
      assertEquals(
        workers.map(({ module, options }) => ({ module, options })),
        Array(cores - 1).fill({
          module: "file:///worker.ts",
          options: { type: "module" },
        }),
      );
    });
  }
});

Deno.test("a cluster logs its URL once, when every thread listens, and again where it listens again", async () => {
  using log = captureLog();
  using surroundings = surround(3);
  const { workers, listeners } = surroundings;
  new Cluster().listen(createHandler, SETTINGS, "");
  const address = { transport: "tcp", hostname: "a", port: 40_000 } as const;
  const url = ["info", "listening on http://a:40000"];
  listeners[0]!.options.onListen!(address);
  workers[0]!.say("listening");
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(log.lines, []);
  workers[1]!.say("listening");
  workers[1]!.say("listening");
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals<unknown>(log.lines, [url]);
  listeners[0]!.options.onListen!(address);
  await Promise.resolve();
  assertEquals<unknown>(log.lines, [url, url]);
});

Deno.test("a cluster's handler is made with the settings, and knows of the threads and of the stop", async () => {
  using clock = stopClock();
  using surroundings = surround(3);
  const options: Options[] = [];
  const cluster = new Cluster();
  cluster.listen(
    (settings) => {
      options.push(settings);
      return createHandler();
    },
    SETTINGS,
    "",
  );
  const { isStopping, ...settings } = options[0]!;
  assertEquals(settings, { ...SETTINGS, threads: 3 });
  assertEquals([options.length, isStopping()], [1, false]);
  const stopped = cluster.stop();
  assertEquals(isStopping(), true);
  for (const worker of surroundings.workers) {
    worker.say("closed");
    worker.say("stopped");
  }
  surroundings.listeners[0]!.departure.resolve();
  await clock.pass(SILENCE_MS);
  await stopped;
});

Deno.test("a cluster starts nothing where the port is taken", () => {
  using surroundings = surround(2);
  surroundings.isTaken = true;
  assertThrows(
    () => new Cluster().listen(createHandler, SETTINGS, ""),
    ListenError,
    "port 0 is taken",
  );
  const { workers, listeners } = surroundings;
  assertEquals([workers.length, listeners.length], [0, 0]);
});

Deno.test("a worker is told to listen on the port of the others once it is ready, with the same settings", async () => {
  using surroundings = surround(3);
  const settings = { ...SETTINGS, maxBodyBytes: 5, logRequests: true };
  new Cluster().listen(createHandler, settings, "");
  const [early, late] = surroundings.workers;
  for (const news of ["closed", "stopped", "", "ready"]) {
    await Promise.resolve();
    assertEquals([early!.orders, late!.orders], [[], []]);
    early!.say(news);
  }
  await Promise.resolve();
  const order = { listen: { ...settings, port: 40_000 }, threads: 3 };
  assertEquals([early!.orders, late!.orders], [[order], []]);
});

Deno.test("a cluster stops its workers, tells them to depart when all have closed, and stops when all have stopped", async () => {
  using clock = stopClock();
  using surroundings = surround(3);
  const { workers, listeners } = surroundings;
  const orders = () => workers.map(({ orders }) => orders);
  const cluster = new Cluster();
  cluster.listen(createHandler, SETTINGS, "");
  assertEquals(cluster.isStopping, false);
  let isStopped = false;
  cluster.stop().then(() => isStopped = true);
  assertEquals(cluster.isStopping, true);
  assertEquals(orders(), [["stop"], ["stop"]]);
  await clock.pass(SILENCE_MS);
  workers[0]!.say("closed");
  await clock.pass(1_000);
  assertEquals(orders(), [["stop"], ["stop"]]);
  workers[1]!.say("closed");
  await clock.pass(0);
  assertEquals(orders(), [["stop", "depart"], ["stop", "depart"]]);
  listeners[0]!.departure.resolve();
  workers[0]!.say("stopped");
  await clock.pass(400);
  assert(!isStopped);
  workers[1]!.say("stopped");
  await clock.pass(0);
  assert(isStopped);
});

Deno.test("a cluster waits for silent workers half a second longer than for its own thread", async () => {
  using clock = stopClock();
  using surroundings = surround(2);
  const cluster = new Cluster();
  cluster.listen(createHandler, SETTINGS, "");
  const { workers: [worker], listeners: [listener] } = surroundings;
  let isStopped = false;
  cluster.stop().then(() => isStopped = true);
  await clock.pass(SILENCE_MS);
  await clock.pass(4_499);
  assertEquals(worker!.orders, ["stop"]);
  await clock.pass(1);
  assertEquals(worker!.orders, ["stop", "depart"]);
  listener!.departure.resolve();
  await clock.pass(499);
  assert(!isStopped);
  await clock.pass(1);
  assert(isStopped);
});

/** Makes this thread a worker until the scope is left, and keeps what it says. */
function enterWorker() {
  const news: string[] = [];
  const scope = {
    onmessage: (_: { data: unknown }) => {},
    postMessage: (text: string) => news.push(text),
  };
  return {
    news,
    tell: (data: unknown) => scope.onmessage({ data }),
    ...replace(globalThis, { self: scope as unknown as typeof self }),
  };
}

Deno.test("a worker says when it can be told to listen, shares the port and serves with the settings", async () => {
  using serve = replaceServe();
  using worker = enterWorker();
  const options: Options[] = [];
  serveInWorker((settings) => {
    options.push(settings);
    return createHandler();
  });
  assertEquals(worker.news, ["ready"]);
  assertEquals(serve.all.length, 0);
  const listen = { ...SETTINGS, port: 80, maxBodyBytes: 5 };
  worker.tell({ listen, threads: 3 });
  const [listener] = serve.all;
  const { hostname, port, reusePort } = listener!.options;
  assertEquals({ hostname, port, reusePort }, {
    hostname: "a",
    port: 80,
    reusePort: true,
  });
  listener!.options.onListen!({ transport: "tcp", hostname: "a", port: 80 });
  assertEquals(worker.news, ["ready", "listening"]);
  const response = await listener!.answer(REQUEST);
  assertEquals(await response.text(), "x");
  const { isStopping, ...settings } = options[0]!;
  assertEquals(settings, { ...listen, threads: 3 });
  assertEquals(isStopping(), false);
  worker.tell("stop");
  assertEquals(isStopping(), true);
  assertEquals(options.length, 1);
});

Deno.test("a worker says when it has closed, holds answers until nobody listens, and says when it has stopped", async () => {
  using clock = stopClock();
  using serve = replaceServe();
  using worker = enterWorker();
  serveInWorker(createHandler);
  worker.tell({ listen: { ...SETTINGS, port: 80 }, threads: 2 });
  await clock.pass(10_000);
  const [listener] = serve.all;
  assert(!listener!.isShuttingDown);
  worker.tell("stop");
  await clock.pass(199);
  assertEquals(worker.news, ["ready"]);
  await clock.pass(2);
  assertEquals(worker.news, ["ready", "closed"]);
  let isAnswered = false;
  const answer = Promise.resolve(listener!.answer(REQUEST));
  answer.then(() => isAnswered = true);
  listener!.departure.resolve();
  await clock.pass(60_000);
  assert(!isAnswered);
  assertEquals(worker.news, ["ready", "closed"]);
  worker.tell("depart");
  assertEquals((await answer).headers.get("connection"), "close");
  await clock.pass(0);
  assertEquals(worker.news, ["ready", "closed", "stopped"]);
});
