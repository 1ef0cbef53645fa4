/** HTTP over a real socket. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { checkAnswer } from "../_client.ts";
import { exchange, RawConnection, startServer } from "../_server.ts";

const ENCODE_A = '{"action":"encode","input":"a"}';

Deno.test("the server answers every operation over HTTP", async () => {
  await using server = await startServer();
  async function call(path: string, body?: string) {
    const init = body === undefined ? {} : { method: "POST", body };
    return (await checkAnswer(await fetch(server.origin + path, init))).body;
  }
  assertEquals(await call("/api/base64", ENCODE_A), { result: "YQ==" });
  assertEquals(await call("/api/hash", '{"algorithm":"sha1","input":"abc"}'), {
    result: "a9993e364706816aba3e25717850c26c9cd0d89d",
    algorithm: "sha1",
  });
  assertEquals(
    await call("/api/json", '{"action":"minify","input":"[1.0, 2]"}'),
    {
      result: "[1.0,2]",
      valid: true,
    },
  );
  assertEquals(Object.keys((await call("/api/uuid"))!), ["uuid"]);
  assertEquals(Object.keys((await call("/api/password"))!), [
    "password",
    "strength",
  ]);
  assertEquals(await call("/healthz"), { status: "ok" });
});

Deno.test("the server answers HEAD with the length of GET's body and no body", async () => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  await connection.send(
    "HEAD /healthz HTTP/1.1\r\nHost: h\r\n\r\nGET /healthz HTTP/1.1\r\nHost: h\r\n\r\n",
  );
  const head = await connection.receive();
  // No body follows: the next bytes are the response to the GET.
  assertMatch(head.head, /^HTTP\/1.1 200 OK\r\n[^]*content-length: 15/);
  assert(head.body.startsWith("HTTP/1.1 200 OK"), head.body);
});

Deno.test("the server answers unusual HTTP requests that reach the handler", async (t) => {
  await using server = await startServer();
  const rows = [
    [
      "a Host with an invalid port",
      "GET /api/uuid HTTP/1.1\r\nHost: h:99999\r\n\r\n",
      400,
    ],
    [
      "a Host with a path",
      "GET /a HTTP/1.1\r\nHost: a/healthz?\r\n\r\n",
      400,
    ],
    ["no Host over HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", 200],
    ["no Host over HTTP/1.1", "GET /healthz HTTP/1.1\r\n\r\n", 200],
    ["an empty Host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", 200],
    [
      "a target with a host",
      "GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n",
      200,
    ],
    [
      "a malformed percent escape",
      "GET /%E0%A4%A HTTP/1.1\r\nHost: h\r\n\r\n",
      404,
    ],
    ["a lower-case method", "get /healthz HTTP/1.1\r\nHost: h\r\n\r\n", 405],
    ["an unknown method", "BREW /healthz HTTP/1.1\r\nHost: h\r\n\r\n", 405],
    ["TRACE", "TRACE /healthz HTTP/1.1\r\nHost: h\r\n\r\n", 405],
    ["CONNECT", "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", 405],
    ["OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 204],
  ] as const;
  for (const [name, request, status] of rows) {
    await t.step(name, async () => {
      const answer = await exchange(server, request);
      assertEquals(answer.status, status);
      assertMatch(answer.head, /access-control-allow-origin: \*/);
      if (status >= 400) assertMatch(answer.body, /^\{"error":".+"\}$/);
    });
  }
});

Deno.test("the server accepts a body of 1 MiB, rejects one more byte, and keeps the connection", async (t) => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  const head = "POST /api/base64 HTTP/1.1\r\nHost: h\r\n";
  const largest = ENCODE_A.padEnd(1_048_576, " ");
  await t.step("1 MiB", async () => {
    await connection.send(
      `${head}Content-Length: ${largest.length}\r\n\r\n${largest}`,
    );
    assertEquals((await connection.receive()).body, '{"result":"YQ=="}');
  });
  await t.step("1 MiB and a byte, chunked", async () => {
    const chunk = `${
      (largest.length + 1).toString(16)
    }\r\n${largest} \r\n0\r\n\r\n`;
    await connection.send(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    assertEquals((await connection.receive()).status, 413);
    await connection.send(
      `${head}Content-Length: ${ENCODE_A.length}\r\n\r\n${ENCODE_A}`,
    );
    assertEquals((await connection.receive()).body, '{"result":"YQ=="}');
  });
  await t.step(
    "a Content-Length of one byte more, before the body",
    async () => {
      const answer = await exchange(
        server,
        `${head}Content-Length: 1048577\r\n\r\n`,
      );
      assertEquals(answer.status, 413);
    },
  );
});

Deno.test("the server answers a body that stalls with 408", async () => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "100" });
  const request =
    'POST /api/base64 HTTP/1.1\r\nHost: h\r\nContent-Length: 31\r\n\r\n{"action"';
  const { status, body } = await exchange(server, request);
  assertEquals(status, 408);
  assertEquals(
    body,
    '{"error":"the body must arrive within 100 milliseconds"}',
  );
});
