/** The request log of a running service. */

import { assertEquals } from "@std/assert";
import { RawConnection, startServer } from "../_server.ts";

Deno.test("the request log adds X-Request-Id to responses, and changes no other header", async (t) => {
  await using plain = await startServer();
  await using logging = await startServer({ LOG_REQUESTS: "1" });
  const body = '{"action":"encode","input":"a"}';
  const post =
    `Host: h\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const requests = [
    "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    "HEAD /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    "GET /page.js HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    "GET /nowhere HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    "OPTIONS /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    `POST /api/base64 HTTP/1.1\r\n${post}`,
  ];
  for (const request of requests) {
    await t.step(request.split("\r\n")[0]!, async () => {
      const [expected, actual] = await Promise.all(
        [plain, logging].map((server) => exchange(server, request)),
      );
      assertEquals(actual, expected);
    });
  }
});

/** Returns the header fields of a response, without those of the request log and the date, and its body. */
async function exchange(
  server: { readonly port: number },
  request: string,
): Promise<readonly string[]> {
  using connection = await RawConnection.open(server);
  await connection.send(request);
  const [head, body] = (await connection.receiveText()).split("\r\n\r\n");
  const fields = head!.toLowerCase().split("\r\n")
    .map((line) => line.replace(/, x-request-id$/, ""))
    .filter((line) => !/^date:|^x-request-id:|: x-request-id$/.test(line));
  return [...fields.toSorted(), body!];
}
