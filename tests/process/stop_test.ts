/** Graceful shutdown: signals, requests in flight, keep-alive connections, exit status. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  findFreePort,
  RawConnection,
  readCommand,
  type ServerProcess,
  startArguments,
  startProcess,
  startServer,
  testOnPosix,
  waitFor,
} from "../_server.ts";

const GET_UUID = "GET /api/uuid HTTP/1.1\r\nHost: h\r\n\r\n";
const GET_HEALTH = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n";
const BODY = '{"action":"encode","input":"a"}';
const UNFINISHED_POST =
  `POST /api/base64 HTTP/1.1\r\nHost: h\r\nContent-Length: ${BODY.length}\r\n\r\n{`;
const REST_OF_POST = BODY.slice(1);

/** A body time-out that does not pass before the service is stopped. */
const PATIENT = { BODY_TIMEOUT_MS: "600000" };

async function stop(
  server: ServerProcess,
  signal: Deno.Signal = "SIGTERM",
): Promise<void> {
  server.kill(signal);
  await waitFor(() => server.log().includes(`stopping on ${signal}`));
}

/** Sends a request whose response means that the server has all earlier ones. */
async function checkHealth(server: ServerProcess): Promise<void> {
  const response = await fetch(`${server.origin}/healthz`);
  await response.body?.cancel();
}

/** Opens a connection with an unfinished request, which the server has received. */
async function openUnfinished(server: ServerProcess): Promise<RawConnection> {
  const connection = await RawConnection.open(server);
  await connection.send(UNFINISHED_POST);
  await checkHealth(server);
  return connection;
}

/**
 * Opens a connection, or returns `undefined` if the server refuses it. The system resets
 * one that is made at the moment when a listener closes; if that happens before Deno has
 * asked for the addresses of the connection, the error is `NotConnected`.
 */
async function connect(
  server: { readonly port: number },
): Promise<RawConnection | undefined> {
  try {
    return await RawConnection.open(server);
  } catch (error) {
    const { ConnectionRefused, ConnectionReset, NotConnected } = Deno.errors;
    const isClosed = error instanceof ConnectionRefused ||
      error instanceof ConnectionReset || error instanceof NotConnected;
    if (isClosed) return undefined;
    throw error;
  }
}

/**
 * Repeats a request until the server refuses connections, and opens a new one after
 * `Connection: close`. Every request must be answered.
 */
async function repeat(
  server: { readonly port: number },
  onAnswer?: () => Promise<void>,
): Promise<void> {
  for (;;) {
    using connection = await connect(server);
    if (connection === undefined) return;
    for (let isOpen = true; isOpen;) {
      await connection.send(GET_UUID);
      const { status, head } = await connection.receive();
      assertEquals(status, 200);
      isOpen = !/^connection: close$/im.test(head);
      await onAnswer?.();
    }
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

testOnPosix(
  "a signal that comes as soon as the port is open loses no request",
  async () => {
    for (let run = 0; run < 5; run += 1) {
      const port = findFreePort();
      const child = new Deno.Command(Deno.execPath(), {
        args: [...startArguments(), `--port=${port}`, "--host=127.0.0.1"],
        stdout: "null",
      }).spawn();
      let connection: RawConnection | undefined;
      while (connection === undefined) connection = await connect({ port });
      using open = connection;
      child.kill("SIGTERM");
      await open.send(GET_UUID);
      assertEquals((await open.receive()).status, 200);
      assertEquals((await child.status).code, 0);
    }
  },
);

testOnPosix(
  "a signal that comes while the workers of start:parallel load loses no request",
  async () => {
    const command = readCommand("start:parallel").slice(1);
    for (let run = 0; run < 3; run += 1) {
      const port = findFreePort();
      const child = new Deno.Command(Deno.execPath(), {
        args: [...command, `--port=${port}`, "--host=127.0.0.1"],
        stdout: "null",
      }).spawn();
      // The first connection may be made while the main thread checks its port.
      for (let isAnswered = false; !isAnswered;) {
        using connection = await connect({ port });
        await connection?.send(GET_UUID).catch(() => {});
        const answer = connection?.receive().then(() => true, () => false);
        isAnswered = await answer ?? false;
      }
      const clients = Array.from({ length: 8 }, () => repeat({ port }));
      child.kill("SIGTERM");
      await Promise.all(clients);
      assertEquals((await child.status).code, 0);
    }
  },
);

for (const isParallel of [false, true]) {
  const where = isParallel ? "on all cores" : "on one core";

  testOnPosix(
    `50 keep-alive clients lose no request when the server stops ${where}`,
    async () => {
      await using server = await startServer({}, { isParallel });
      const counts = Array<number>(50).fill(0);
      const clients = Promise.all(
        counts.map((_, client) =>
          // Half of the clients pause between two requests.
          repeat(server, () => {
            counts[client]! += 1;
            return delay(client % 2 === 0 ? 20 : 0);
          })
        ),
      );
      await Promise.race([
        clients,
        waitFor(() => counts.every((count) => count > 1)),
      ]);
      await stop(server);
      await clients;
      assertEquals((await server.status).code, 0);
    },
  );

  testOnPosix(
    `GET /healthz answers 503 at once while the server stops ${where}, and no thread accepts a connection afterwards`,
    async () => {
      await using server = await startServer({}, { isParallel });
      using scope = new DisposableStack();
      const unfinished = scope.use(await openUnfinished(server));
      const connections: RawConnection[] = [];
      // Enough connections that every thread gets one.
      while (connections.length < 16) {
        connections.push(scope.use(await RawConnection.open(server)));
      }
      for (const connection of connections) {
        await connection.send(GET_HEALTH);
        assertEquals((await connection.receive()).status, 200);
      }
      await stop(server);
      await Promise.all(connections.map(async (connection) => {
        let status = 200;
        let body;
        // The other threads hear of it a moment later.
        while (status === 200) {
          await connection.send(GET_HEALTH);
          ({ status, body } = await connection.receive());
        }
        assertEquals(status, 503);
        assertEquals(body, '{"error":"the service is shutting down"}');
      }));
      // The server still waits for this one, so the others did not wait for it to stop.
      await unfinished.send(REST_OF_POST);
      assertEquals((await unfinished.receive()).status, 200);
      using accepted = await connect(server);
      assertEquals(accepted, undefined);
      assertEquals((await server.status).code, 0);
    },
  );
}

testOnPosix(
  "eight results of 8 MiB come whole, although the server stops",
  async () => {
    await using server = await startServer();
    using scope = new DisposableStack();
    const input = "[".repeat(2e3) + "]".repeat(2e3);
    const body = JSON.stringify({ action: "format", input });
    const result = JSON.stringify(JSON.parse(input), null, 2);
    const head =
      `POST /api/json HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}`;
    const connections: RawConnection[] = [];
    while (connections.length < 8) {
      connections.push(scope.use(await RawConnection.open(server)));
    }
    await stop(server);
    await Promise.all(connections.map(async (connection) => {
      await connection.send(`${head}\r\n\r\n${body}`);
      const answer = await connection.receive();
      assertEquals(answer.status, 200);
      assertEquals(JSON.parse(answer.body).result === result, true);
    }));
    assertEquals((await server.status).code, 0);
  },
);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  testOnPosix(
    `the server completes a request in flight on ${signal}, also a repeated one, and exits with 0`,
    async () => {
      await using server = await startServer();
      using connection = await openUnfinished(server);
      await stop(server, signal);
      // A repetition within half a second does not count.
      server.kill(signal);
      // Longer than the server waits for clients to become idle.
      await delay(1_000);
      await connection.send(REST_OF_POST);
      const { status, head, body } = await connection.receive();
      assertEquals(status, 200);
      assertEquals(body, '{"result":"YQ=="}');
      assertMatch(head, /^connection: close$/im);
      assert(await connection.isClosed());
      assertEquals((await server.status).code, 0);
    },
  );
}

testOnPosix(
  "the server stops within 10 seconds although clients stall and new ones connect",
  async () => {
    await using server = await startServer(PATIENT);
    using _body = await openUnfinished(server);
    using head = await RawConnection.open(server);
    await head.send("GET /healthz HTTP/1.1\r\n");
    using silent = await RawConnection.open(server);
    using reader = await RawConnection.open(server);
    const input = "[".repeat(2_000) + "]".repeat(2_000);
    const request = JSON.stringify({ action: "format", input });
    await reader.send(
      `POST /api/json HTTP/1.1\r\nHost: h\r\nContent-Length: ${request.length}\r\n\r\n${request}`,
    );
    await checkHealth(server);
    const start = performance.now();
    server.kill("SIGTERM");
    using newClients = new DisposableStack();
    while (performance.now() - start < 10_000) {
      const client = await RawConnection.open(server).catch(() => undefined);
      if (client === undefined) break;
      newClients.use(client);
      // The system resets a connection that is made while the listener closes.
      await client.send(GET_UUID).catch(() => {});
      await delay(50);
    }
    assertEquals((await server.status).code, 0);
    // This bound is the promise that is tested here.
    assert(performance.now() - start < 10_000, "it took more than 10 seconds");
    assert(await silent.isClosed());
  },
);

testOnPosix("a second signal ends the server at once", async () => {
  await using server = await startServer(PATIENT);
  using _ = await openUnfinished(server);
  await stop(server);
  // A signal within half a second counts as a repetition of the first.
  const repetition = setInterval(() => server.kill("SIGINT"), 50);
  const { code } = await server.status;
  clearInterval(repetition);
  assertEquals(code, 1);
});

for (const task of ["start", "start:parallel"]) {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    testOnPosix(
      `deno task ${task} loses none of 8 half-sent requests on a ${signal} to its process group`,
      async () => {
        await using server = await startProcess(
          [Deno.execPath(), "task", task],
          { HOST: "127.0.0.1", PORT: "0" },
          { isGroup: true },
        );
        using scope = new DisposableStack();
        const connections: RawConnection[] = [];
        while (connections.length < 8) {
          connections.push(scope.use(await openUnfinished(server)));
        }
        await stop(server, signal);
        // Longer than the server waits for clients that send nothing more.
        await delay(500);
        for (const connection of connections) {
          await connection.send(REST_OF_POST);
        }
        for (const connection of connections) {
          assertEquals((await connection.receive()).status, 200);
        }
        assertEquals((await server.status).code, 0);
      },
    );
  }
}

testOnPosix("deno task dev stops on Ctrl-C and logs no error", async () => {
  await using server = await startProcess(
    [Deno.execPath(), "task", "dev"],
    { HOST: "127.0.0.1", PORT: "0" },
    { isGroup: true },
  );
  await checkHealth(server);
  server.kill("SIGINT");
  await server.status;
  const [, log] = server.log().split("listening on ");
  assertMatch(log!, /^stopping on SIG(INT|TERM)$/m);
  assert(!/rejection|Error/.test(log!), log);
});
