/** Failures that the running service survives. */

import { assertEquals, assertMatch } from "@std/assert";
import {
  RawConnection,
  runDeno,
  startArguments,
  startServer,
  testOnPosix,
  waitFor,
} from "../_server.ts";

testOnPosix(
  "the server listens again after it ran out of file descriptors",
  async () => {
    await using server = await startServer({}, { maxFiles: 64 });
    {
      using scope = new DisposableStack();
      while (!server.log().includes("the listener failed, listening again")) {
        const connection = await RawConnection.open(server).catch(() => null);
        scope.use(connection);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    await waitFor(() => server.log().split("listening on ").length > 2);
    const response = await fetch(`${server.origin}/healthz`);
    assertEquals(await response.json(), { status: "ok" });
    server.kill("SIGTERM");
    assertEquals((await server.status).code, 0);
  },
);

Deno.test("an unfinished request of a client that disconnects is not logged", async () => {
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

Deno.test("an unhandled rejection is logged and does not end the process", async () => {
  const input = `
    import "./main.ts";
    Promise.reject(new Error("first line\\nsecond line"));
    setTimeout(() => Deno.exit(7), 300);
  `;
  const { code, log } = await runDeno(startArguments("-"), {
    input,
    env: { PORT: "0", HOST: "127.0.0.1" },
  });
  assertEquals(code, 7);
  assertMatch(
    log,
    /^unhandled rejection: Error: first line \| second line \| at .+$/m,
  );
});
