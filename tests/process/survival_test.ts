/** Stopping, running out of file descriptors, and what the process may not do. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  RawConnection,
  readCommand,
  type ServerProcess,
  startArguments,
  startProcess,
  startServer,
  testOnPosix,
  waitFor,
} from "../_server.ts";

const HEALTH = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n";

async function stop(server: ServerProcess): Promise<void> {
  server.kill("SIGTERM");
  await waitFor(() => server.log().includes("stopping on SIGTERM"));
}

for (const isParallel of [false, true]) {
  testOnPosix(
    `50 busy keep-alive clients lose no request when the server stops${
      isParallel ? " on all cores" : ""
    }`,
    async () => {
      await using server = await startServer({}, { isParallel });
      /** Asks again and again, on a new connection where told to close. */
      async function beBusy(): Promise<number> {
        for (let answers = 0;;) {
          const connection = await openUnlessRefused(server);
          if (connection === undefined) return answers;
          using _ = connection;
          for (let isOpen = true; isOpen; answers += 1) {
            await connection.send("GET /api/uuid HTTP/1.1\r\nHost: h\r\n\r\n");
            const { status, head } = await connection.receive();
            assertEquals(status, 200);
            isOpen = !/^connection: close$/im.test(head);
          }
        }
      }
      const clients = Array.from({ length: 50 }, beBusy);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await stop(server);
      const answers = await Promise.all(clients);
      assert(answers.every((count) => count > 1), "each was busy");
      assertEquals((await server.status).code, 0);
    },
  );
}

testOnPosix(
  "GET /healthz says 503 while the server stops, which then refuses connections",
  async () => {
    await using server = await startServer();
    using stalled = await RawConnection.open(server);
    await stalled.send(
      "POST /api/hash HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{",
    );
    using connection = await RawConnection.open(server);
    await connection.send(HEALTH);
    assertEquals((await connection.receive()).status, 200);
    await stop(server);
    await connection.send(HEALTH);
    const { status, body } = await connection.receive();
    assertEquals(status, 503);
    assertEquals(body, '{"error":"the service is shutting down"}');
    await assertRefusesConnections(server);
  },
);

async function assertRefusesConnections(server: ServerProcess): Promise<void> {
  using connection = await openUnlessRefused(server);
  assertEquals(connection, undefined, "it accepted a connection");
}

async function openUnlessRefused(
  server: ServerProcess,
): Promise<RawConnection | undefined> {
  try {
    return await RawConnection.open(server);
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return undefined;
    throw error;
  }
}

testOnPosix(
  "the server stops with status 0 although clients stall",
  async () => {
    await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
    using body = await RawConnection.open(server);
    await body.send(
      "POST /api/hash HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{",
    );
    using head = await RawConnection.open(server);
    await head.send("GET /healthz HTTP/1.1\r\n");
    using silent = await RawConnection.open(server);
    using reader = await RawConnection.open(server);
    const input = "[".repeat(2_000) + "]".repeat(2_000);
    const request = JSON.stringify({ action: "format", input });
    await reader.send(
      `POST /api/json HTTP/1.1\r\nHost: h\r\nContent-Length: ${request.length}\r\n\r\n${request}`,
    );
    await fetch(`${server.origin}/healthz`).then((response) =>
      response.body?.cancel()
    );
    const start = performance.now();
    await stop(server);
    assertEquals((await server.status).code, 0);
    // The bound itself is the promise that is tested here.
    assert(performance.now() - start < 10_000, "it took more than 10 seconds");
    assert(await silent.isClosed());
  },
);

Deno.test("a client that goes away is no reason for a word in the log", async () => {
  await using server = await startServer();
  const before = server.log();
  for (
    const request of [
      "GET /api/uuid HTTP/1.1\r\n",
      "POST /api/hash HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{",
    ]
  ) {
    using connection = await RawConnection.open(server);
    await connection.send(request);
  }
  const response = await fetch(`${server.origin}/healthz`);
  assertEquals(await response.json(), { status: "ok" });
  assertEquals(server.log(), before);
});

testOnPosix("a second signal ends the server at once", async () => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
  using stalled = await RawConnection.open(server);
  await stalled.send(
    "POST /api/hash HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{",
  );
  await fetch(`${server.origin}/healthz`).then((response) =>
    response.body?.cancel()
  );
  await stop(server);
  // What comes within half a second is the first signal once more.
  const impatience = setInterval(() => server.kill("SIGINT"), 50);
  const { code } = await server.status;
  clearInterval(impatience);
  assertEquals(code, 1);
  assert(!server.log().includes("stopped"));
});

testOnPosix(
  "a signal that comes twice within half a second counts once",
  async () => {
    await using server = await startServer();
    using connection = await RawConnection.open(server);
    const body = '{"action":"encode","input":"a"}';
    await connection.send(
      `POST /api/base64 HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n{`,
    );
    await fetch(`${server.origin}/healthz`).then((response) =>
      response.body?.cancel()
    );
    await stop(server);
    server.kill("SIGTERM");
    await connection.send(body.slice(1));
    assertEquals((await connection.receive()).status, 200);
    assertEquals((await server.status).code, 0);
  },
);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  testOnPosix(
    `deno task start loses no request on a ${signal} to its process group`,
    async () => {
      await using server = await startProcess(
        [Deno.execPath(), "task", "start"],
        { HOST: "127.0.0.1", PORT: "0" },
        { isGroup: true },
      );
      const body = '{"action":"encode","input":"a"}';
      const connections: RawConnection[] = [];
      using _ = { [Symbol.dispose]: () => connections.forEach(close) };
      for (let i = 0; i < 12; i += 1) {
        const connection = await RawConnection.open(server);
        connections.push(connection);
        await connection.send(
          `POST /api/base64 HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n{`,
        );
      }
      await fetch(`${server.origin}/healthz`).then((response) =>
        response.body?.cancel()
      );
      server.kill(signal);
      await waitFor(() => server.log().includes(`stopping on ${signal}`));
      for (const connection of connections) {
        await connection.send(body.slice(1));
      }
      for (const connection of connections) {
        assertEquals((await connection.receive()).status, 200);
      }
      await server.status;
      assertMatch(server.log(), /^stopped$/m);
    },
  );
}

function close(connection: RawConnection): void {
  connection[Symbol.dispose]();
}

testOnPosix("deno task dev stops on Ctrl-C without a complaint", async () => {
  await using server = await startProcess(
    [Deno.execPath(), "task", "dev"],
    { HOST: "127.0.0.1", PORT: "0" },
    { isGroup: true },
  );
  await fetch(`${server.origin}/healthz`).then((response) =>
    response.body?.cancel()
  );
  server.kill("SIGINT");
  await server.status;
  const [, last] = server.log().split("listening on ");
  assertMatch(last!, /^stopping on SIG(INT|TERM)\nstopped$/m);
  assert(!/rejection|Error/.test(last!), last);
});

testOnPosix("a second start:parallel says that the port is taken", async () => {
  await using server = await startServer({}, { isParallel: true });
  const [, ...args] = readCommand("start:parallel");
  const variables = { HOST: "127.0.0.1", PORT: String(server.port) };
  const error = await assertRejects(async () => {
    await using _ = await startProcess([Deno.execPath(), ...args], variables);
  }, Error);
  assertEquals(
    error.message,
    `the server ended: port ${server.port} is taken: choose another with --port or PORT\n`,
  );
});

testOnPosix(
  "the server listens again after it ran out of file descriptors",
  async () => {
    await using server = await startServer({}, { maxFiles: 64 });
    const connections: RawConnection[] = [];
    while (!server.log().includes("the listener failed, listening again")) {
      const connection = await RawConnection.open(server).catch(() =>
        undefined
      );
      if (connection !== undefined) connections.push(connection);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    for (const connection of connections) connection[Symbol.dispose]();
    const listenings = () => server.log().split("listening on ").length - 1;
    await waitFor(() => listenings() >= 2);
    const response = await fetch(`${server.origin}/healthz`);
    assertEquals(await response.json(), { status: "ok" });
    await stop(server);
    assertEquals((await server.status).code, 0);
  },
);

Deno.test("the process may listen and read its settings, and nothing else", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: startArguments("tests/process/_least_privilege.ts"),
  }).output();
  assertEquals(new TextDecoder().decode(stderr), "");
  assertEquals(code, 0);
  assertEquals(
    new TextDecoder().decode(stdout),
    "listen on a port\nread PORT\n",
  );
});

Deno.test("the tasks that serve have the same permissions, each of them named", async () => {
  const { default: { tasks } } = await import("../../deno.json", {
    with: { type: "json" },
  });
  function permissions(task: { command: string }): string[] {
    return task.command.match(/--(?:allow|no-prompt)[^\s']*/g)!;
  }
  const start = permissions(tasks.start);
  for (const flag of start) {
    assertMatch(flag, /^--(allow-(net|env)=\S+|no-prompt)$/);
  }
  assertEquals(permissions(tasks.dev), start);
  // A worker may load no module that its thread may not read.
  assertEquals(permissions(tasks["start:parallel"]), [
    ...start,
    "--allow-read=worker.ts,deno.json,lib,routes,web",
  ]);
});

Deno.test("a rejection that nobody handles is logged and does not end the process", async () => {
  const script = `
    import "./main.ts";
    Promise.reject(new Error("nobody\\ncatches this"));
    setTimeout(() => Deno.exit(7), 300);
  `;
  const [, ...args] = startArguments("-").slice(0, -1);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...args, "-"],
    env: { PORT: "0", HOST: "127.0.0.1" },
    stdin: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  const { code, stderr } = await child.output();
  assertEquals(code, 7);
  assertMatch(
    new TextDecoder().decode(stderr),
    /^unhandled rejection: Error: nobody \| catches this \| at .+$/m,
  );
});
