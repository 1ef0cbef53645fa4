/** Malformed HTTP over raw sockets; see `_fuzz.ts`. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { FuzzOptions, Statuses } from "./_fuzz.ts";
import { ignoreClosed } from "./_http2.ts";
import { RawConnection, type ServerProcess } from "./_server.ts";

const lines = fc.oneof(
  fc.constantFrom(
    "GET /healthz HTTP/1.1",
    "POST /api/hash HTTP/1.1",
    "GET / HTTP/1.0",
    "GET /healthz",
    "GET /healthz HTTP/9.9",
    "PRI * HTTP/2.0",
    "OPTIONS * HTTP/1.1",
    "\x16\x03\x01\x02",
  ),
  fc.string({
    unit: fc.constantFrom(..."GETPOS /?%#:\\\0\t\xff", "HTTP/1.1"),
    maxLength: 40,
  }),
  fc.integer({ min: 1_000, max: 80_000 }).map((length) =>
    `GET /${"a".repeat(length)} HTTP/1.1`
  ),
);

/** Values of `Host`, of `Content-Length` and of `Transfer-Encoding`, and other lines. */
const HOSTS = [
  "h",
  "",
  "a b",
  "h:99999",
  "a/b?c#d",
  "[::1",
  "<script>",
  "\xff",
];
const CONTENT_LENGTHS = "5 0 -1 +5 99999999999999999999 1048577".split(" ");
const CODINGS = ["chunked", "gzip", "chunked, identity"];
const headerLines = fc.oneof(
  fc.constantFrom(
    ...Array(3).fill("Host: h"),
    ...HOSTS.map((host) => `Host: ${host}`),
    ...CONTENT_LENGTHS.map((length) => `Content-Length: ${length}`),
    ...CODINGS.map((coding) => `Transfer-Encoding: ${coding}`),
    "Expect: 100-continue",
    "Connection: close",
    "Connection: upgrade",
    "Upgrade: h2c",
    "Upgrade: websocket",
    ": b",
    "a b: c",
    "a:\0",
    " folded",
  ),
  fc.integer({ min: 100, max: 70_000 }).map((length) =>
    `X-Long: ${"b".repeat(length)}`
  ),
  fc.integer({ min: 1, max: 200 }).map((count) =>
    Array(count).fill("a: b").join("\r\n")
  ),
);
const payloads = fc.constantFrom(
  "",
  "{}",
  "5\r\n",
  "5\r\nhello\r\n0\r\n\r\n",
  "ffffffffffffffffff\r\n",
  "-1\r\n",
  "x\r\n",
  "hello",
  '{"algorithm":"sha1","input":""}',
  "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n",
);
const exchanges = fc.record({
  text: fc.tuple(
    lines,
    fc.array(headerLines, { maxLength: 4 }),
    fc.constantFrom("\r\n", "\r\n", "\n"),
    payloads,
  )
    .map(([line, headers, end, payload]) =>
      [line, ...headers, "", payload].join(end)
    ),
  /** Number of pieces in which it is sent. */
  pieces: fc.constantFrom(1, 1, 1, 2, 7),
  /** Whether the client disconnects without waiting for a response. */
  leavesEarly: fc.boolean(),
});

/**
 * Sends malformed HTTP to a server, each exchange on its own connection. Checks the
 * response, and that the next valid request is answered.
 */
export async function fuzzSockets(
  server: ServerProcess,
  { seed, numRuns }: FuzzOptions,
): Promise<Statuses> {
  const statuses: Statuses = new Map();
  using honest = await RawConnection.open(server);
  await fc.assert(
    fc.asyncProperty(exchanges, async ({ text, pieces, leavesEarly }) => {
      const connection = await RawConnection.open(server);
      const size = Math.ceil(text.length / pieces);
      // The server may close the connection before everything is sent.
      for (let i = 0; i < text.length; i += size) {
        await ignoreClosed(connection.send(text.slice(i, i + size)));
      }
      if (!leavesEarly) {
        await ignoreClosed(connection.finish());
        for (const { status, head, body } of await connection.receiveAll()) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          checkRawAnswer(status, head, body);
        }
      }
      connection[Symbol.dispose]();
      await honest.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n");
      assertEquals((await honest.receive()).body, '{"status":"ok"}');
    }),
    { seed, numRuns },
  );
  return statuses;
}

function checkRawAnswer(status: number, head: string, body: string): void {
  assert(status !== 500, head);
  const hasReachedHandler = /^access-control-allow-origin: \*\r?$/im.test(head);
  if (hasReachedHandler) {
    assert(/^x-content-type-options: nosniff\r?$/im.test(head), head);
    if (status >= 400 && body !== "") {
      assertEquals(Object.keys(JSON.parse(body)), ["error"]);
    }
  } else {
    assert(
      status === 100 || (status === 400 && body === ""),
      `${head}\r\n\r\n${body}`,
    );
  }
}
