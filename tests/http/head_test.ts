/** HEAD in process, over HTTP/1.1 and over HTTP/2. */

import { assert, assertEquals } from "@std/assert";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { createHandler, ROUTES } from "../../routes/mod.ts";
import { RawConnection, startServer } from "../_server.ts";

const PATHS = [
  ...ROUTES.map(({ pattern }) => pattern.pathname),
  "/api/uuid?count=3",
  "/api/uuid?count=0",
  "/nowhere",
];

/** Sends a HEAD request over HTTP/2 and receives the response. */
async function headHttp2(origin: string, path: string) {
  const response = Promise.withResolvers<IncomingHttpHeaders>();
  const end = Promise.withResolvers<void>();
  const session = connect(origin);
  session.on("error", end.reject);
  const stream = session.request({ ":method": "HEAD", ":path": path });
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

Deno.test("HEAD is answered with the status and headers of GET, and no body", async (t) => {
  const handler = createHandler();
  await using server = await startServer();
  for (const path of PATHS) {
    const url = `http://localhost${path}`;
    const get = await handler(new Request(url));
    const { status } = get;
    const { byteLength } = await get.bytes();
    // The message of a 405 names the method, and HEAD is one letter longer than GET.
    const length = String(status === 405 ? byteLength + 1 : byteLength);

    await t.step(path, async () => {
      const head = await handler(new Request(url, { method: "HEAD" }));
      get.headers.set("content-length", length);
      assertEquals([head.status, head.body], [status, null]);
      assertEquals([...head.headers], [...get.headers]);
    });

    await t.step(`${path} over HTTP/2`, async () => {
      const { headers, body } = await headHttp2(server.origin, path);
      assertEquals(Number(headers[":status"]), status);
      assertEquals(headers["content-length"], length);
      assertEquals(body, "");
    });

    await t.step(`${path} over HTTP/1.1`, async () => {
      using connection = await RawConnection.open(server);
      await connection.send(
        `HEAD ${path} HTTP/1.1\r\nHost: h\r\n\r\nGET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
      );
      const [head, next] = (await connection.receiveText()).split("\r\n\r\n");
      assert(head!.startsWith(`HTTP/1.1 ${status} `), head);
      assert(head!.includes(`\r\ncontent-length: ${length}`), head);
      // The response to GET follows at once.
      assert(next!.startsWith("HTTP/1.1 200 OK"), next);
    });
  }
  await t.step("304 has no length", async () => {
    const url = "http://localhost/";
    const get = await handler(new Request(url, { method: "HEAD" }));
    const headers = { "if-none-match": get.headers.get("etag")! };
    const head = await handler(new Request(url, { method: "HEAD", headers }));
    assertEquals([head.status, head.body], [304, null]);
    assertEquals(head.headers.get("content-length"), null);
  });
});
