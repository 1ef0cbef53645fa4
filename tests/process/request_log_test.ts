import { assertEquals } from "@std/assert";
import { RawConnection, startServer } from "../_server.ts";

/** Returns the header fields and the body of a response, without what the request log adds. */
async function exchange(server: { readonly port: number }, line: string) {
  using connection = await RawConnection.open(server);
  const body = '{"action":"encode","input":"a"}';
  const rest = line.startsWith("POST")
    ? `Content-Length: ${body.length}\r\n\r\n${body}`
    : "\r\n";
  const close = "Host: h\r\nConnection: close\r\n";
  await connection.send(`${line} HTTP/1.1\r\n${close}${rest}`);
  const [head, text] = (await connection.receiveText()).split("\r\n\r\n");
  const fields = head!.toLowerCase().split("\r\n")
    .map((field) => field.replace(/, x-request-id$/, ""))
    .filter((field) => !/^date:|^x-request-id:|: x-request-id$/.test(field));
  return [...fields.toSorted(), text];
}

Deno.test("the request log adds X-Request-Id to responses, and changes no other header", async (t) => {
  await using plain = await startServer();
  await using logging = await startServer({ LOG_REQUESTS: "1" });
  for (
    const line of [
      "HEAD /healthz",
      "GET /page.js",
      "GET /nowhere",
      "OPTIONS /healthz",
      "POST /api/base64",
    ]
  ) {
    await t.step(line, async () => {
      assertEquals(await exchange(logging, line), await exchange(plain, line));
    });
  }
});
