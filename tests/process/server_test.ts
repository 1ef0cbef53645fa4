/** HTTP over a real socket. */

import { assertEquals, assertMatch } from "@std/assert";
import { exchange, RawConnection, startServer } from "../_server.ts";

Deno.test("the server answers unusual HTTP requests that reach the handler", async (t) => {
  await using server = await startServer();
  const end = " HTTP/1.1\r\nHost: h\r\n\r\n";
  const rows = [
    // A Host with an invalid port, one with a path, and one that is empty.
    ["GET /api/uuid HTTP/1.1\r\nHost: h:99999\r\n\r\n", 400],
    ["GET /a HTTP/1.1\r\nHost: a/healthz?\r\n\r\n", 400],
    ["GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", 200],
    ["GET /healthz HTTP/1.0\r\n\r\n", 200],
    ["GET /healthz HTTP/1.1\r\n\r\n", 200],
    ["GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 200],
    [`GET /%E0%A4%A${end}`, 404],
    [`get /healthz${end}`, 405],
    [`BREW /healthz${end}`, 405],
    [`TRACE /healthz${end}`, 405],
    [`CONNECT h:80${end}`, 405],
    [`OPTIONS *${end}`, 204],
  ] as const;
  for (const [request, status] of rows) {
    await t.step(JSON.stringify(request), async () => {
      const answer = await exchange(server, request);
      assertEquals(answer.status, status);
      assertMatch(answer.head, /access-control-allow-origin: \*/);
      if (status >= 400) assertMatch(answer.body, /^\{"error":".+"\}$/);
    });
  }
});

Deno.test("after a body that is too large, the connection takes the next request", async () => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  const head = "POST /api/base64 HTTP/1.1\r\nHost: h\r\n";
  const body = '{"action":"encode","input":"a"}';
  const large = `${(1_048_577).toString(16)}\r\n${body.padEnd(1_048_577)}\r\n`;
  await connection.send(
    `${head}Transfer-Encoding: chunked\r\n\r\n${large}0\r\n\r\n`,
  );
  assertEquals((await connection.receive()).status, 413);
  await connection.send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  assertEquals((await connection.receive()).body, '{"result":"YQ=="}');
});
