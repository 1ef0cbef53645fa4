/** Where a server listens, what it says of that, and how it outlives its listener. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { assertFree, ListenError, Server } from "../../lib/process/server.ts";
import { stopClock } from "../_clock.ts";
import { captureLog, replace } from "../_replace.ts";
import { type FakeListener, replaceServe } from "./_fakes.ts";

const REQUEST = new Request("http://localhost/");
const ADDRESS = { host: "127.0.0.1", port: 0 };

function handle(): Response {
  return new Response("x");
}

/** What a listener was told of its address. */
function describe({ options }: FakeListener) {
  const { hostname, port, reusePort } = options;
  return { hostname, port, reusePort };
}

Deno.test("listen() listens where it is told, alone but where the port is shared, and returns the port", async (t) => {
  const rows = [
    [{ host: "127.0.0.1", port: 8080 }, false, 8080],
    [{ host: "::1", port: 0 }, false, 40_000],
    [{ host: "a", port: 1, isShared: false }, false, 1],
    [{ host: "a", port: 1, isShared: true }, true, 1],
  ] as const;
  for (const [address, reusePort, port] of rows) {
    await t.step(JSON.stringify(address), () => {
      using serve = replaceServe();
      assertEquals(new Server().listen(handle, address), port);
      assertEquals(serve.all.map(describe), [
        { hostname: address.host, port: address.port, reusePort },
      ]);
    });
  }
});

Deno.test("a server logs the address to open in a browser", async (t) => {
  const rows = [
    ["127.0.0.1", "http://127.0.0.1:8000"],
    ["localhost", "http://localhost:8000"],
    ["0.0.0.0", "http://localhost:8000"],
    ["::", "http://localhost:8000"],
    ["::1", "http://[::1]:8000"],
    ["fe80::1", "http://[fe80::1]:8000"],
  ] as const;
  for (const [host, url] of rows) {
    await t.step(host, () => {
      using log = captureLog();
      using serve = replaceServe();
      new Server().listen(handle, { host, port: 0 });
      assertEquals(log.lines, []);
      // The port may be one that the system has chosen.
      serve.all[0]!.options.onListen!({
        transport: "tcp",
        hostname: host,
        port: 8000,
      });
      assertEquals(log.lines, [["info", `listening on ${url}`]]);
    });
  }
});

Deno.test("a server answers with what the handler makes of the request and of where it came from", async () => {
  using serve = replaceServe();
  const info = { remoteAddr: {}, completed: Promise.resolve() };
  const calls: unknown[] = [];
  const responses = [
    new Response("at once"),
    Promise.resolve(new Response("later")),
  ];
  new Server().listen((...args: unknown[]) => {
    calls.push(args);
    return responses[calls.length - 1]!;
  }, ADDRESS);
  const [listener] = serve.all;
  for (const expected of responses) {
    const response = await listener!.answer(
      REQUEST,
      info as unknown as Deno.ServeHandlerInfo,
    );
    assert(response === await expected);
    assertEquals(response.headers.get("connection"), null);
    assertEquals(calls.at(-1), [REQUEST, info]);
  }
});

/** Why an address cannot be listened on, and what is said of it. */
const REASONS = [
  [
    new Deno.errors.AddrInUse("in use"),
    "port 80 is taken: choose another with --port or PORT",
  ],
  [
    new Deno.errors.NotCapable("not allowed"),
    "cannot listen on a port 80: not permitted: listen on 0.0.0.0 for every address of this machine, or run main.ts with --allow-net=a:80",
  ],
  [
    new Deno.errors.PermissionDenied("permission denied"),
    "cannot listen on a port 80: permission denied",
  ],
  ["an oddity", "cannot listen on a port 80: an oddity"],
] as const;

for (const [reason, message] of REASONS) {
  Deno.test(`who cannot listen is told: ${message}`, () => {
    using serve = replaceServe();
    serve.nextError = reason;
    using _ = replace(Deno, {
      listen: (() => {
        throw reason;
      }) as unknown as typeof Deno.listen,
    });
    for (
      const listen of [
        () => new Server().listen(handle, { host: "a", port: 80 }),
        () => assertFree({ host: "a", port: 80 }),
      ]
    ) {
      const error = assertThrows(listen, ListenError);
      assertEquals([error.name, error.message], ["ListenError", message]);
    }
  });
}

Deno.test("assertFree() listens at the address alone, and leaves it free", () => {
  const calls: unknown[] = [];
  const listen = (options: Deno.TcpListenOptions) => {
    calls.push(options);
    return { close: () => calls.push("closed") };
  };
  using _ = replace(Deno, { listen: listen as unknown as typeof Deno.listen });
  assertFree({ host: "a", port: 80, isShared: true });
  assertEquals(calls, [{ hostname: "a", port: 80 }, "closed"]);
});

Deno.test("a server whose listener fails listens again after 100 ms on the same port, as often as it must", async () => {
  using clock = stopClock();
  using serve = replaceServe();
  using log = captureLog();
  new Server().listen(handle, { host: "a", port: 0, isShared: true });
  const first = { hostname: "a", port: 0, reusePort: true };
  const again = { ...first, port: 40_000 };
  assertEquals(serve.all.map(describe), [first]);

  serve.all[0]!.end.reject("no file descriptors");
  await clock.pass(99);
  assertEquals(serve.all.length, 1);
  await clock.pass(1);
  assertEquals(serve.all.map(describe), [first, again]);
  const response = await serve.all[1]!.answer(REQUEST);
  assertEquals(await response.text(), "x");

  // While others hold the port it tries again and again.
  serve.all[1]!.end.reject("no file descriptors");
  for (const _ of [1, 2]) {
    serve.nextError = "taken";
    await clock.pass(100);
    assertEquals([serve.all.length, serve.nextError], [2, undefined]);
  }
  await clock.pass(99);
  assertEquals(serve.all.length, 2);
  await clock.pass(1);
  assertEquals(serve.all.map(describe), [first, again, again]);
  assertEquals(log.lines, [
    ["error", "the listener failed, listening again: no file descriptors"],
    ["error", "the listener failed, listening again: no file descriptors"],
    ["error", "cannot listen yet: taken"],
    ["error", "cannot listen yet: taken"],
  ]);
});

Deno.test("a server that stops does not listen again", async () => {
  using clock = stopClock();
  using serve = replaceServe();
  using _log = captureLog();
  const server = new Server();
  server.listen(handle, ADDRESS);
  serve.all[0]!.end.reject("no file descriptors");
  await clock.pass(50);
  const stopped = server.stop();
  await clock.pass(20_000);
  await stopped;
  assertEquals(serve.all.length, 1);
});
