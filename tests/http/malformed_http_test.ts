/**
 * HTTP over a real socket: unusual and malformed requests, and silent clients. Deno
 * handles some of them before any handler runs, as `docs/operations.md` describes; that
 * may change with Deno.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { once } from "node:events";
import { connect } from "node:http2";
import { exchange, RawConnection, startServer } from "../_server.ts";

const HOST = "Host: h\r\n";
const GET = `GET /healthz HTTP/1.1\r\n${HOST}`;
const POST = `POST /api/hash HTTP/1.1\r\n${HOST}`;

/** Requests that Deno answers with 400, without the handler. */
const MALFORMED: Readonly<Record<string, string>> = {
  "no target": "GET\r\n\r\n",
  "no version": "GET /healthz\r\n\r\n",
  "HTTP/1.2": `GET /healthz HTTP/1.2\r\n${HOST}\r\n`,
  "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "two Hosts": `${GET}${HOST}\r\n`,
  "a space in a header's name": `${GET}a b: c\r\n\r\n`,
  "a header without a colon": `${GET}abc\r\n\r\n`,
  "NUL in a header": `${GET}a: b\0c\r\n\r\n`,
  "a space in the path": `GET /a b HTTP/1.1\r\n${HOST}\r\n`,
  "a path that is not UTF-8": `GET /\xff HTTP/1.1\r\n${HOST}\r\n`,
  "a control character": `GET /\x01 HTTP/1.1\r\n${HOST}\r\n`,
  "differing lengths":
    `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
  "a signed length": `${POST}Content-Length: +2\r\n\r\n{}`,
  "a negative length": `${POST}Content-Length: -2\r\n\r\n{}`,
  "a length and chunks":
    `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  // From Deno 2.8.3 on, see docs/clients.md.
  "an upgrade with a body":
    `${POST}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}`,
  "129 headers": `${GET}${"a: b\r\n".repeat(128)}\r\n`,
  "a head above 64 KiB": `${GET}a: ${"b".repeat(70_000)}\r\n\r\n`,
};

Deno.test("Deno answers malformed HTTP with an empty 400 without CORS", async (t) => {
  await using server = await startServer();
  for (const [name, request] of Object.entries(MALFORMED)) {
    await t.step(name, async () => {
      const { status, head, body } = await exchange(server, request);
      assertEquals([status, body], [400, ""]);
      assert(!/access-control|content-type/i.test(head), head);
    });
  }
  assertEquals((await exchange(server, `${GET}\r\n`)).body, '{"status":"ok"}');
});

Deno.test("a handler cannot distinguish HTTP/1.0, HTTP/2 and HTTP/1.1 without Host", async () => {
  const requests: string[] = [];
  await using server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
  }, ({ url, headers }) => {
    requests.push(JSON.stringify([url, ...headers]));
    return new Response();
  });
  const { port } = server.addr;
  await exchange({ port }, "GET /a HTTP/1.0\r\n\r\n");
  await exchange({ port }, "GET /a HTTP/1.1\r\n\r\n");
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({
    ":authority": `localhost:${port}`,
    ":path": "/a",
  });
  stream.resume();
  await once(stream, "end");
  session.close();
  await once(session, "close");
  const expected = JSON.stringify([`http://localhost:${port}/a`]);
  assertEquals(requests, [expected, expected, expected]);
});

Deno.test("the server answers unusual HTTP requests that reach the handler", async (t) => {
  await using server = await startServer();
  const end = ` HTTP/1.1\r\n${HOST}\r\n`;
  const rows = [
    // A Host with an invalid port, one with a path, and one that is empty.
    ["GET /api/uuid HTTP/1.1\r\nHost: h:99999\r\n\r\n", 200],
    ["GET /a HTTP/1.1\r\nHost: a/healthz?\r\n\r\n", 200],
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

Deno.test("Deno closes the connection on a bad chunk", async () => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  await connection.send(`${POST}Transfer-Encoding: chunked\r\n\r\nx\r\n`);
  assert(await connection.isClosed());
});

Deno.test("Deno has no time-out for a client that sends nothing or half a head", async () => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "50" });
  using silent = await RawConnection.open(server);
  using slow = await RawConnection.open(server);
  await slow.send("GET /healthz HTTP/1.1\r\n");
  // The 408 shows that the time-out of bodies, the only one, has passed.
  const stalled = await exchange(server, `${POST}Content-Length: 2\r\n\r\n{`);
  assertEquals(stalled.status, 408);
  await slow.send(`${HOST}\r\n`);
  assertEquals((await slow.receive()).status, 200);
  await silent.send(`${GET}\r\n`);
  assertEquals((await silent.receive()).status, 200);
});
