/** HTTP behavior that only a real socket shows. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { once } from "node:events";
import { connect } from "node:http2";
import { text } from "node:stream/consumers";
import { createHandler } from "../../routes/mod.ts";
import { exchange, RawConnection, startServer } from "../_server.ts";
import { within } from "../_within.ts";
import { postHead, toChunk } from "../guarantees/_exchanges.ts";
import { callTool } from "../mcp/_agent.ts";

const HOST = "Host: h\r\n";
const END = ` HTTP/1.1\r\n${HOST}\r\n`;
const POST = `POST /api/base64 HTTP/1.1\r\n${HOST}`;
const ENCODE_A = '{"action":"encode","input":"a"}';

/** Sends HEAD over HTTP/2 and receives the response. */
async function headHttp2(origin: string, path: string) {
  const session = connect(origin);
  const stream = session.request({ ":method": "HEAD", ":path": path });
  const response = once(stream, "response");
  const [headers] = await within(response, `the response of ${path}`);
  const body = await within(text(stream), `the end of ${path}`);
  session.destroy();
  return { headers, body };
}

Deno.test("HEAD has the status and the length of GET, and no body, over HTTP/1.1 and HTTP/2", async (t) => {
  const handler = createHandler();
  await using server = await startServer();
  for (const path of ["/", "/api/uuid?count=3", "/nowhere"]) {
    await t.step(path, async () => {
      const get = await handler(new Request(`http://localhost${path}`));
      const length = String((await get.bytes()).byteLength);

      const { headers, body } = await headHttp2(server.origin, path);
      const { ":status": status, "content-length": sent } = headers;
      assertEquals([Number(status), sent, body], [get.status, length, ""]);

      using connection = await RawConnection.open(server);
      await connection.send(
        `HEAD ${path}${END}GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
      );
      const [head, next] = (await connection.receiveText()).split("\r\n\r\n");
      assert(head!.startsWith(`HTTP/1.1 ${get.status} `), head);
      assert(head!.includes(`\r\ncontent-length: ${length}`), head);
      // The response to GET follows at once.
      assert(next!.startsWith("HTTP/1.1 200 OK"), next);
    });
  }
});

Deno.test("unusual requests get the documented status", async (t) => {
  await using server = await startServer();
  const rows = [
    // Hosts with an invalid port, a query, a fragment, invalid characters, and none.
    ["GET /api/uuid HTTP/1.1\r\nHost: h:99999\r\n\r\n", 200],
    ["GET /a HTTP/1.1\r\nHost: a/healthz?\r\n\r\n", 400],
    [`POST /mcp HTTP/1.1\r\nHost: a#\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ["GET /healthz#a? HTTP/1.1\r\nHost: h\r\n\r\n", 200],
    ["GET /healthz HTTP/1.1\r\nHost: <a b>\r\n\r\n", 200],
    ["GET /healthz HTTP/1.0\r\n\r\n", 200],
    // Deno does not distinguish it from HTTP/1.0 and from HTTP/2 to `localhost`.
    ["GET /healthz HTTP/1.1\r\n\r\n", 200],
    ["GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 200],
    [`GET /%E0%A4%A${END}`, 404],
    [`BREW /healthz${END}`, 405],
    [`CONNECT h:80${END}`, 405],
    [`OPTIONS *${END}`, 204],
  ] as const;
  for (const [request, status] of rows) {
    await t.step(JSON.stringify(request), async () => {
      const response = await exchange(server, request);
      assertEquals(response.status, status);
      assertMatch(response.head, /access-control-allow-origin: \*/);
      if (status >= 400) assertMatch(response.body, /^\{"error":".+"\}\n$/);
    });
  }
  await t.step(
    "Deno rejects an upgrade with a body, even an empty one",
    async () => {
      const upgrade = "Connection: Upgrade\r\nUpgrade: h2c\r\n";
      const length = `Content-Length: ${ENCODE_A.length}\r\n\r\n`;
      const requests = [
        `${POST}${upgrade}${length}${ENCODE_A}`,
        // The GET of Java 17's HttpClient.
        `GET /api/uuid HTTP/1.1\r\n${HOST}${upgrade}Content-Length: 0\r\n\r\n`,
      ];
      for (const request of requests) {
        const { status, body } = await exchange(server, request);
        assertEquals([status, body], [400, ""]);
      }
    },
  );
});

Deno.test("an unusual Host changes no other response on its connection", async (t) => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  // The page shows calls with the Host of its request.
  const plain =
    `GET /docs${END}${POST}Content-Length: ${ENCODE_A.length}\r\n\r\n${ENCODE_A}`;
  const receiveBodies = async () => [
    (await connection.receive()).body,
    (await connection.receive()).body,
  ];
  await connection.send(plain);
  const bodies = await receiveBodies();
  assertMatch(bodies[0]!, /curl &quot;http:\/\/h\/api/);
  assertEquals(bodies[1], '{"result":"YQ=="}\n');
  for (const host of ["g", "", "<a b>", "h:99999", "[::", "a/b?c#d"]) {
    await t.step(JSON.stringify(host), async () => {
      await connection.send(
        `GET /docs HTTP/1.1\r\nHost: ${host}\r\n\r\n${plain}`,
      );
      await connection.receive();
      assertEquals(await receiveBodies(), bodies);
    });
  }
});

Deno.test("every response of /mcp has a Content-Length", async () => {
  await using server = await startServer({ MAX_BODY_BYTES: "1000" });
  const call = JSON.stringify(callTool("generateUuids", {}));
  for (const body of [call, "{", " ".repeat(1_001)]) {
    const request = `${postHead("/mcp", body.length)}${body}`;
    const response = await exchange(server, request);
    assertMatch(response.head, RegExp(`length: ${response.body.length}\r\n`));
  }
});

Deno.test("a Content-Length that is too large gets 413 before the body is sent", async () => {
  await using server = await startServer({ MAX_BODY_BYTES: "1000" });
  for (const path of ["/api/base64", "/mcp"]) {
    const { status, body } = await exchange(server, postHead(path, 1001));
    assertEquals(status, 413);
    assertMatch(body, /the body must be at most 1000 bytes/);
  }
});

Deno.test("after a body that is too large, the connection accepts the next request", async () => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  const large = toChunk(" ".repeat(1_048_577)) + toChunk("");
  await connection.send(postHead("/api/base64") + large);
  assertEquals((await connection.receive()).status, 413);
  await connection.send(postHead("/api/base64", ENCODE_A.length) + ENCODE_A);
  assertEquals((await connection.receive()).body, '{"result":"YQ=="}\n');
});
