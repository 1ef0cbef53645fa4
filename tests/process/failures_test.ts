/** Failures that the running service survives; guarantees_test.ts has the lack of file descriptors. */

import { assertEquals, assertMatch } from "@std/assert";
import {
  RawConnection,
  runDeno,
  startArguments,
  startServer,
} from "../_server.ts";

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
