/**
 * Graceful shutdown. It waits up to 4.3 seconds for requests, and each test needs at most one.
 * Tests that leave less time are in `timed/shutdown_time_test.ts`.
 */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ask, DEEP_RESULT, openMany } from "../guarantees/_exchanges.ts";
import type { RawResponse } from "../_connection.ts";
import {
  NEEDS_POSIX,
  RawConnection,
  startProcess,
  startServer,
  testOnBoth,
  testOnPosix,
  testTogether,
} from "../_server.ts";
import { waitFor, within } from "../_within.ts";
import { checkHealth, FORMAT_DEEP, shutDown } from "./_shutdown.ts";

const GET_UUID = "GET /api/uuid HTTP/1.1\r\nHost: h\r\n\r\n";
const HEALTH_CHECK = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n";
const BODY = '{"action":"encode","input":"a"}';
const UNFINISHED_POST =
  `POST /api/base64 HTTP/1.1\r\nHost: h\r\nContent-Length: ${BODY.length}\r\n\r\n{`;
const REMAINDER = BODY.slice(1);

const CLOSES = /^connection: close$/im;

/**
 * Opens a connection, or returns `undefined` if the server rejects it. The system resets a
 * connection that is made just as the listener closes. If that happens before Deno has
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

async function askUuid(connection: RawConnection): Promise<RawResponse> {
  await connection.send(GET_UUID);
  return await connection.receive();
}

/** A client that sends the next request this soon after a response cannot lose it. */
const GRACE_MS = 300;

/**
 * Repeats a request until the server rejects connections, and reconnects after
 * `Connection: close`. Every request must get a response, unless this process was too busy
 * to send it in time.
 */
async function repeat(
  server: { readonly port: number },
  onResponse?: () => Promise<void>,
): Promise<void> {
  for (;;) {
    using connection = await connect(server);
    if (connection === undefined) return;
    let sentAt = performance.now();
    for (let isOpen = true; isOpen;) {
      // The last response was received after its request was sent.
      const isLate = performance.now() - sentAt > GRACE_MS;
      sentAt = performance.now();
      const response = await askUuid(connection).catch((error) => {
        if (!isLate) throw error;
      });
      if (response === undefined) break;
      assertEquals(response.status, 200);
      isOpen = !CLOSES.test(response.head);
      await onResponse?.();
    }
  }
}

testOnBoth(
  "a signal right after the start loses no request",
  async (server) => {
    const clients = Array.from({ length: 8 }, () => repeat(server));
    server.kill("SIGTERM");
    await within(Promise.all(clients), "the service to reject connections");
    assertEquals((await server.status).code, 0);
  },
  NEEDS_POSIX,
);

testOnBoth(
  "50 keep-alive clients lose no request when the server shuts down",
  async (server) => {
    let responses = 0;
    const clients = Promise.all(
      Array.from({ length: 50 }, (_, client) =>
        // Half of the clients pause between two requests.
        repeat(server, () => {
          responses += 1;
          return delay(client % 2 === 0 ? 20 : 0);
        })),
    );
    await Promise.race([clients, waitFor(() => responses > 500)]);
    await shutDown(server);
    await within(clients, "the service to reject connections");
    assertEquals((await server.status).code, 0);
  },
  NEEDS_POSIX,
);

testOnBoth(
  "GET /healthz returns 503 at once during a shutdown, and then no thread accepts a connection",
  async (server) => {
    using unfinished = await RawConnection.open(server);
    await unfinished.send(UNFINISHED_POST);
    // Enough connections that every thread gets one.
    const connections = await openMany(server, 16);
    for (const connection of connections) {
      assertEquals(await ask(connection, HEALTH_CHECK), 200);
    }
    await shutDown(server);
    // The other threads learn of the shutdown a moment later.
    await Promise.all(connections.map((connection) =>
      waitFor(async () => {
        await connection.send(HEALTH_CHECK);
        const { status, head, body } = await connection.receive();
        if (status === 200) return false;
        assertEquals(status, 503);
        assertMatch(head, /^retry-after: 1\r$/mi);
        assertEquals(body, '{"error":"the service is shutting down"}\n');
        return true;
      })
    ));
    // The server still waits for this request, so the health checks did not wait.
    assertEquals(await ask(unfinished, REMAINDER), 200);
    using accepted = await connect(server);
    assertEquals(accepted, undefined);
    assertEquals((await server.status).code, 0);
  },
  NEEDS_POSIX,
);

testOnPosix(
  "requests for 8 MiB whose last byte arrives after the signal are completed",
  async () => {
    await using server = await startServer();
    const clients = await openMany(server, 2);
    for (const client of clients) await client.send(FORMAT_DEEP.slice(0, -1));
    await checkHealth(server);
    await shutDown(server);
    await delay(500);
    await Promise.all(clients.map(async (client) => {
      await client.send(FORMAT_DEEP.slice(-1));
      const { status, head, body } = await client.receive();
      assertEquals(status, 200, body);
      assertMatch(head, CLOSES);
      assert(JSON.parse(body).result === DEEP_RESULT);
    }));
    assertEquals((await server.status).code, 0);
  },
);

async function shutDownTask(
  task: "start" | "start:parallel",
  signal: Deno.Signal,
): Promise<void> {
  const command = [Deno.execPath(), "task", task];
  const variables = { HOST: "127.0.0.1", PORT: "0" };
  await using server = await startProcess(command, variables, {
    isGroup: true,
  });
  const connections = await openMany(server, 8);
  for (const connection of connections) await connection.send(UNFINISHED_POST);
  await checkHealth(server);
  // A second signal within half a second is ignored.
  server.kill(signal);
  await shutDown(server, signal);
  // Longer than the server waits for clients to become idle.
  await delay(1_000);
  for (const connection of connections) await connection.send(REMAINDER);
  for (const connection of connections) {
    const { status, head, body } = await connection.receive();
    assertEquals([status, body], [200, '{"result":"YQ=="}\n']);
    assertMatch(head, CLOSES);
    assert(await connection.isClosed());
  }
  assertEquals((await server.status).code, 0);
}

testTogether(
  "a task completes 8 half-sent requests after signals to its process group (needs POSIX)",
  {
    "start, SIGINT": () => shutDownTask("start", "SIGINT"),
    "start:parallel, SIGTERM": () => shutDownTask("start:parallel", "SIGTERM"),
  },
  NEEDS_POSIX,
);
