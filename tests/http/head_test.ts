/** HEAD over both versions of HTTP, as clients see it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { RawConnection, startServer } from "../_server.ts";

/** Each with its status, whether it is asked for with an ETag that fits. */
const TARGETS = [
  ["/healthz", 200],
  ["/", 200],
  ["/openapi.json", 200],
  ["/api/uuid?count=2", 200],
  ["/api/uuid?count=0", 400],
  ["/nowhere", 404],
  ["/api/hash", 405],
] as const;

/** What an HTTP/2 client receives. */
interface Http2Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends one request over a connection of HTTP/2 with prior knowledge. */
async function requestHttp2(
  origin: string,
  headers: Record<string, string>,
): Promise<Http2Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Http2Answer>();
  const session = connect(origin);
  session.on("error", reject);
  const stream = session.request(headers);
  let answered: IncomingHttpHeaders = {};
  let body = "";
  stream.setEncoding("utf8");
  stream.on("response", (headers) => answered = headers);
  stream.on("data", (text: string) => body += text);
  stream.on("error", reject);
  stream.on("end", () => {
    resolve({ status: Number(answered[":status"]), headers: answered, body });
  });
  stream.end();
  try {
    return await promise;
  } finally {
    const closed = Promise.withResolvers<void>();
    session.close(() => closed.resolve());
    await closed.promise;
  }
}

Deno.test("HEAD over HTTP/2 has the status and length of GET and no body", async (t) => {
  await using server = await startServer();
  for (const [path, status] of TARGETS) {
    await t.step(path, async () => {
      const get = await fetch(server.origin + path);
      const length = String((await get.bytes()).byteLength);
      const head = await requestHttp2(server.origin, {
        ":method": "HEAD",
        ":path": path,
      });
      assertEquals(head.status, status);
      assertEquals(head.body, "");
      // A 405 names the method, so that it is a letter longer.
      const expected = status === 405 ? String(Number(length) + 1) : length;
      assertEquals(head.headers["content-length"], expected);
    });
  }
  await t.step("304", async () => {
    const { headers } = await requestHttp2(server.origin, {
      ":method": "HEAD",
      ":path": "/",
    });
    const head = await requestHttp2(server.origin, {
      ":method": "HEAD",
      ":path": "/",
      "if-none-match": headers["etag"]!,
    });
    assertEquals({ status: head.status, body: head.body }, {
      status: 304,
      body: "",
    });
  });
});

Deno.test("HEAD over HTTP/1.1 has the length of GET's body and no body", async (t) => {
  await using server = await startServer();
  for (const [path, status] of TARGETS) {
    await t.step(path, async () => {
      const get = await fetch(server.origin + path);
      const length = (await get.bytes()).byteLength;
      using connection = await RawConnection.open(server);
      await connection.send(
        `HEAD ${path} HTTP/1.1\r\nHost: h\r\n\r\nGET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
      );
      const text = await connection.receiveText();
      const [head, next] = text.split("\r\n\r\n");
      assertMatch(head!, new RegExp(`^HTTP/1.1 ${status} `));
      // No body follows: what comes next is the answer to GET.
      assert(next!.startsWith("HTTP/1.1 200 OK"), next);
      const expected = status === 405 ? length + 1 : length;
      assertMatch(head!, new RegExp(`^content-length: ${expected}\r?$`, "m"));
    });
  }
});
