/** HEAD over HTTP/1.1 and HTTP/2. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { RawConnection, startServer } from "../_server.ts";

const TARGETS = [
  ["/healthz", 200],
  ["/", 200],
  ["/openapi.json", 200],
  ["/api/uuid?count=2", 200],
  ["/api/uuid?count=0", 400],
  ["/nowhere", 404],
  ["/api/hash", 405],
] as const;

/** Sends a HEAD request over HTTP/2 and receives the response. */
async function headHttp2(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ readonly headers: IncomingHttpHeaders; readonly body: string }> {
  const response = Promise.withResolvers<IncomingHttpHeaders>();
  const end = Promise.withResolvers<void>();
  const session = connect(origin);
  session.on("error", end.reject);
  const stream = session.request({
    ":method": "HEAD",
    ":path": path,
    ...headers,
  });
  let body = "";
  stream.setEncoding("utf8");
  stream.on("response", response.resolve);
  stream.on("data", (text: string) => body += text);
  stream.on("error", end.reject);
  stream.on("end", end.resolve);
  stream.end();
  await end.promise;
  const closed = Promise.withResolvers<void>();
  session.close(() => closed.resolve());
  await closed.promise;
  return { headers: await response.promise, body };
}

Deno.test("HEAD has the status and length of GET and no body", async (t) => {
  await using server = await startServer();
  for (const [path, status] of TARGETS) {
    const get = await fetch(server.origin + path);
    const { byteLength } = await get.bytes();
    // The message of a 405 names the method, and HEAD is one letter longer than GET.
    const length = status === 405 ? byteLength + 1 : byteLength;

    await t.step(`${path} over HTTP/2`, async () => {
      const { headers, body } = await headHttp2(server.origin, path);
      assertEquals(Number(headers[":status"]), status);
      assertEquals(headers["content-length"], String(length));
      assertEquals(body, "");
    });

    await t.step(`${path} over HTTP/1.1`, async () => {
      using connection = await RawConnection.open(server);
      await connection.send(
        `HEAD ${path} HTTP/1.1\r\nHost: h\r\n\r\nGET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
      );
      const text = await connection.receiveText();
      const [head, next] = text.split("\r\n\r\n");
      assertMatch(head!, new RegExp(`^HTTP/1.1 ${status} `));
      assertMatch(head!, new RegExp(`^content-length: ${length}\r?$`, "m"));
      // The response to GET follows at once.
      assert(next!.startsWith("HTTP/1.1 200 OK"), next);
    });
  }
  await t.step("304 over HTTP/2", async () => {
    const { headers: { etag } } = await headHttp2(server.origin, "/");
    const conditional = { "if-none-match": etag! };
    const { headers, body } = await headHttp2(server.origin, "/", conditional);
    assertEquals(Number(headers[":status"]), 304);
    assertEquals(body, "");
  });
});
