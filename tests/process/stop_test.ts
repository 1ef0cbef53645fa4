/**
 * Graceful shutdown: signals, requests in flight, keep-alive connections, exit status.
 *
 * A stop waits 4.3 seconds for requests in flight, and ends after 8.5 seconds, as
 * `docs/operations.md` promises. What a test does meanwhile takes a second or less: a busy
 * machine fails it only if it stands still for several seconds. Tests that leave it less time
 * are in `timed/stop_time_test.ts`.
 */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ask, openMany, post } from "../guarantees/_exchanges.ts";
import type { RawAnswer } from "../_connection.ts";
import {
  NEEDS_POSIX,
  RawConnection,
  readCommand,
  type ServerProcess,
  startOnFreePort,
  startProcess,
  startServer,
  testOnBoth,
  testOnPosix,
  testTogether,
} from "../_server.ts";
import { waitFor, within } from "../_within.ts";
import { checkHealth, FORMAT_DEEP, stop, stopBeforeResults } from "./_stop.ts";

const GET_UUID = "GET /api/uuid HTTP/1.1\r\nHost: h\r\n\r\n";
/** A slash at the end of a path is ignored. */
const HEALTH_CHECKS = ["/healthz", "/healthz/"]
  .map((path) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
const BODY = '{"action":"encode","input":"a"}';
const UNFINISHED_POST =
  `POST /api/base64 HTTP/1.1\r\nHost: h\r\nContent-Length: ${BODY.length}\r\n\r\n{`;
const REST_OF_POST = BODY.slice(1);
const STOPPING = '{"error":"the service is shutting down, please try again"}\n';

const CLOSES = /^connection: close$/im;

/** A body time-out that does not pass before the service is stopped. */
const PATIENT = { BODY_TIMEOUT_MS: "600000" };

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

async function askUuid(connection: RawConnection): Promise<RawAnswer> {
  await connection.send(GET_UUID);
  return await connection.receive();
}

/** Time after a response in which a client loses no request that it sends, in milliseconds. */
const GRACE_MS = 300;

/**
 * Repeats a request until the server refuses connections, and opens a new one after
 * `Connection: close`. Every request must be answered, unless this process itself was too
 * busy to send it in time.
 */
async function repeat(
  server: { readonly port: number },
  onAnswer?: () => Promise<void>,
): Promise<void> {
  for (;;) {
    using connection = await connect(server);
    if (connection === undefined) return;
    let sentAt = performance.now();
    for (let isOpen = true; isOpen;) {
      // The last response came later than its request.
      const isLate = performance.now() - sentAt > GRACE_MS;
      sentAt = performance.now();
      const answer = await askUuid(connection).catch((error) => {
        if (!isLate) throw error;
      });
      if (answer === undefined) break;
      assertEquals(answer.status, 200);
      isOpen = !CLOSES.test(answer.head);
      await onAnswer?.();
    }
  }
}

/** Stops a server as soon as it has answered. */
async function stopEarly(task: "start" | "start:parallel"): Promise<void> {
  const { port, child } = await startOnFreePort(async (port) => {
    const args = [...readCommand(task).slice(1), `--port=${port}`];
    const child = new Deno.Command(Deno.execPath(), {
      args,
      env: { HOST: "127.0.0.1" },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let hasEnded = false;
    const log = new Response(child.stderr).text()
      .finally(() => hasEnded = true);
    // On all cores, the first connection may be made while the main thread checks its port.
    await waitFor(async () => {
      if (hasEnded) throw new Error(`the server ended: ${await log}`);
      using connection = await connect({ port });
      await connection?.send(GET_UUID).catch(() => {});
      return await connection?.receive().then(() => true, () => false) ?? false;
    });
    return { port, child };
  });
  const clients = Array.from({ length: 8 }, () => repeat({ port }));
  child.kill("SIGTERM");
  await within(Promise.all(clients), "the service to refuse connections");
  const { code } = await within(child.status, "the end of the service");
  assertEquals(code, 0);
}

for (const task of ["start", "start:parallel"] as const) {
  testOnPosix(
    `a signal that comes as soon as ${task} answers loses no request`,
    async () => {
      for (let run = 0; run < 3; run += 1) await stopEarly(task);
    },
  );
}

testOnBoth(
  "50 keep-alive clients lose no request when the server stops",
  async (server) => {
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
    await within(clients, "the service to refuse connections");
    assertEquals((await server.status).code, 0);
  },
  NEEDS_POSIX,
);

testOnBoth(
  "GET /healthz and /healthz/ answer 503 at once while the server stops, and no thread accepts a connection afterwards",
  async (server) => {
    using unfinished = await openUnfinished(server);
    // Enough connections that every thread gets one.
    const connections = await openMany(server, 16);
    for (const connection of connections) {
      assertEquals(await ask(connection, HEALTH_CHECKS[0]!), 200);
    }
    await stop(server);
    await Promise.all(connections.map(async (connection, i) => {
      const check = HEALTH_CHECKS[i % HEALTH_CHECKS.length]!;
      let answer: RawAnswer | undefined;
      // The other threads hear of it a moment later.
      await waitFor(async () => {
        await connection.send(check);
        answer = await connection.receive();
        return answer.status !== 200;
      });
      const { status, body } = answer!;
      assertEquals(status, 503);
      assertEquals(body, '{"error":"the service is shutting down"}\n');
    }));
    // The server still waits for this one, so the others did not wait for it to stop.
    assertEquals(await ask(unfinished, REST_OF_POST), 200);
    using accepted = await connect(server);
    assertEquals(accepted, undefined);
    assertEquals((await server.status).code, 0);
  },
  NEEDS_POSIX,
);

testTogether("the server stops (needs POSIX)", {
  "although clients stall and new ones connect": async () => {
    await using server = await startServer(PATIENT);
    using _body = await openUnfinished(server);
    const [head, silent, reader] = await openMany(server, 3);
    await head!.send("GET /healthz HTTP/1.1\r\n");
    await reader!.send(FORMAT_DEEP);
    await checkHealth(server);
    await stop(server);
    // New clients come until none is accepted.
    await waitFor(async () => {
      const [client] = await openMany(server, 1).catch(() => []);
      // The system resets a connection that is made while the listener closes.
      await client?.send(GET_UUID).catch(() => {});
      return client === undefined;
    });
    assertEquals((await server.status).code, 0);
    assert(await silent!.isClosed());
  },
  "four results of 8 MiB, which have room together, come whole": async () => {
    await using server = await startServer();
    await stopBeforeResults(server, 4);
  },
  "a body that has not come in time gets 503, which is not the client's fault":
    async () => {
      await using server = await startServer(PATIENT);
      const rows = [
        UNFINISHED_POST,
        `${UNFINISHED_POST.replace(/Length: \d+/, "Length: 900000")} `,
      ];
      const clients = await openMany(server, rows.length);
      for (const [i, row] of rows.entries()) await clients[i]!.send(row);
      await checkHealth(server);
      await stop(server);
      for (const client of clients) {
        const { status, head, body } = await client.receive();
        assertEquals(status, 503, body);
        assertMatch(head, /^retry-after: \d+$/im);
        assertEquals(body, STOPPING);
      }
      assertEquals((await server.status).code, 0);
    },
  "large requests whose bodies arrive after the signal are completed":
    async () => {
      await using server = await startServer();
      const request = post(
        "/api/hash",
        { algorithm: "sha1", input: "a" },
        1e6,
      );
      const unfinished = new TextEncoder().encode(request.slice(0, -1));
      const clients = await openMany(server, 100);
      for (const client of clients) await client.send(unfinished);
      await checkHealth(server);
      await stop(server);
      await delay(500);
      await Promise.all(clients.map(async (client) => {
        await client.send(" ");
        const { status, head, body } = await client.receive();
        assertEquals(status, 200, body);
        assertMatch(head, CLOSES);
      }));
      assertEquals((await server.status).code, 0);
    },
}, NEEDS_POSIX);

async function stopTask(
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
  // A repetition within half a second does not count.
  server.kill(signal);
  await stop(server, signal);
  // Longer than the server waits for clients to become idle.
  await delay(1_000);
  for (const connection of connections) await connection.send(REST_OF_POST);
  for (const connection of connections) {
    const { status, head, body } = await connection.receive();
    assertEquals([status, body], [200, '{"result":"YQ=="}\n']);
    assertMatch(head, CLOSES);
    assert(await connection.isClosed());
  }
  assertEquals((await server.status).code, 0);
}

testTogether(
  "a task answers 8 half-sent requests after a signal, also a repeated one, to its process group (needs POSIX)",
  {
    "start, SIGTERM": () => stopTask("start", "SIGTERM"),
    "start:parallel, SIGTERM": () => stopTask("start:parallel", "SIGTERM"),
    "start:parallel, SIGINT": () => stopTask("start:parallel", "SIGINT"),
  },
  NEEDS_POSIX,
);

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
  assertMatch(log!, /^shutting down on SIG(INT|TERM)$/m);
  assert(!/rejection|Error/.test(log!), log);
});
