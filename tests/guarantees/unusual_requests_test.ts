/** Unusual headers and bodies affect only their own request. */

import { assert, assertEquals } from "@std/assert";
import { exchange, RawConnection } from "../_connection.ts";
import { postHttp2 } from "../_http2.ts";
import { type ServerProcess, startServer } from "../_server.ts";
import {
  DEEP,
  DIGEST,
  HASH,
  LARGE_CALL,
  LARGE_REQUEST,
  post,
  postHead,
  SMALL_CALL,
  SMALL_REQUEST,
  toChunk,
  toolCall,
} from "./_exchanges.ts";

const BODIES = {
  "/api/hash": JSON.stringify(HASH),
  "/mcp": JSON.stringify(toolCall("hashText", HASH)),
};

/** Headers of a body. `N` stands for its length. */
const HEADERS = [
  "Content-Length: N\r\nContent-Length: N",
  "Content-Length: N, N",
  "Content-Length: N\r\nContent-Length: 2",
  "Content-Length: 2\r\nContent-Length: N",
  "Content-Length: -N",
  "Content-Length: ",
  `Content-Length: ${"0".repeat(1_000)}N`,
  "Content-Length: 9007199254740993",
  `Content-Length: ${"9".repeat(400)}`,
  "Content-Length: N\r\nTransfer-Encoding: identity",
  "Content-Length: N\r\nHost: g",
  "Content-Length: N\r\nContent-Encoding: identity\r\nContent-Encoding: gzip",
  `Content-Length: N\r\nContent-Encoding: ${",".repeat(60_000)}`,
  "Content-Length: N\r\nExpect: 200-ok",
  "Content-Length: N\r\nConnection: close, content-length",
  "Content-Length: N\r\nAccept-Encoding: gzip;q=NaN, identity;q=-1",
  "X-Nothing: a",
];

/** Headers of a body in chunks. */
const CHUNKED_HEADERS = [
  "Transfer-Encoding: CHUNKED",
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: chunked, gzip",
  "Transfer-Encoding: identity",
  "Transfer-Encoding: ,chunked,",
  "Transfer-Encoding: ",
  "Transfer-Encoding: chunked\r\nContent-Length: N",
  "Content-Length: N\r\nContent-Length: N\r\nTransfer-Encoding: chunked",
];

/**
 * Bodies with unusual chunk sizes or trailers. `BODY` stands for the body. If a size is
 * malformed, Deno usually closes the connection without a response.
 */
const CHUNKS = [
  "-1\r\nBODY\r\n0\r\n\r\n",
  "0x10\r\nBODY\r\n0\r\n\r\n",
  "ffffffffffffffff\r\nBODY\r\n0\r\n\r\n",
  "1000000000000\r\nBODY",
  `1${";a=b".repeat(10_000)}\r\n{\r\n0\r\n\r\n`,
  "1\r\n{\r\n0\r\nContent-Length: 5\r\nTransfer-Encoding: gzip\r\n\r\n",
];

/** Headers over HTTP/2, which marks the end of a body without its length. */
const HTTP2_HEADERS: readonly (readonly (readonly [string, string])[])[] = [
  [],
  [["content-length", "N"], ["content-length", "N"]],
  [["content-length", "N"], ["content-length", "abc"]],
  [["content-length", "2"], ["content-length", "N"]],
  [["content-length", "abc"]],
  [["content-length", ""]],
  [["content-length", "2"]],
  [["content-length", "500"]],
  [["content-length", "1048577"]],
  [["content-length", "18446744073709551616"]],
  [["transfer-encoding", "chunked"]],
  [["host", "a"], ["host", "b"]],
  [["host", "<a b>"]],
  [["content-encoding", "identity"], ["content-encoding", "gzip"]],
  [["connection", "close"]],
];

function setLength(text: string, body: string): string {
  return text.replaceAll(/\bN\b|(?<=\d)N/g, String(body.length));
}

/** Creates a POST with more headers. */
function toRequest(path: string, headers: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n${body}`;
}

/**
 * Checks that a response is the result of its own request, or an error of the client. Deno
 * itself rejects malformed requests with an empty 400.
 */
function assertOwnResponse(
  path: string,
  { status, body }: { readonly status: number; readonly body: string },
): void {
  const shown = `${status} ${body}`;
  if (status === 200) return assert(body.includes(DIGEST), shown);
  assert(status >= 400 && status < 500 || status === 501, shown);
  if (status === 400 && body === "") return;
  const { error } = JSON.parse(body);
  const message = path === "/mcp" ? error.message : error;
  assert(typeof message === "string", shown);
}

async function assertSucceeds(
  server: ServerProcess,
  requests: readonly string[],
): Promise<void> {
  for (const request of requests) {
    assertEquals((await exchange(server, request)).status, 200);
  }
}

const GET_PAGE = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

/** Sends each row to each path, and checks that later requests succeed. */
function testRows<Row>(
  name: string,
  rows: readonly Row[],
  send: (
    server: ServerProcess,
    row: Row,
    path: string,
    body: string,
  ) => Promise<void>,
): void {
  Deno.test(name, async (t) => {
    await using server = await startServer({ BODY_TIMEOUT_MS: "1000" });
    for (const row of rows) {
      await t.step(JSON.stringify(row).slice(0, 120), async () => {
        const sending = Object.entries(BODIES)
          .map(([path, body]) => send(server, row, path, body));
        await Promise.all(sending);
        await assertSucceeds(server, [SMALL_REQUEST, SMALL_CALL, GET_PAGE]);
      });
    }
    const large = [LARGE_REQUEST, LARGE_CALL, post("/api/json", DEEP)];
    await assertSucceeds(server, large);
  });
}

testRows(
  "unusual headers affect no other request",
  [
    ...HEADERS.map((headers) => ({ headers, isChunked: false })),
    ...CHUNKED_HEADERS.map((headers) => ({ headers, isChunked: true })),
  ],
  async (server, { headers, isChunked }, path, body) => {
    const sent = isChunked ? `${toChunk(body)}0\r\n\r\n` : body;
    const request = toRequest(path, setLength(headers, body), sent);
    assertOwnResponse(path, await exchange(server, request));
  },
);

testRows(
  "unusual chunks affect no other request",
  CHUNKS,
  async (server, chunks, path, body) => {
    using connection = await RawConnection.open(server);
    await connection.send(postHead(path) + chunks.replace("BODY", body));
    if (await connection.isClosed()) return;
    assertOwnResponse(path, await connection.receive());
  },
);

testRows(
  "unusual headers over HTTP/2 affect no other request",
  HTTP2_HEADERS,
  async (server, unusual, path, body) => {
    const headers = unusual.map(([name, value]) =>
      [name, setLength(value, body)] as const
    );
    const response = await postHttp2(server, { path, headers, body });
    const isOwn = response === "" || response.includes(DIGEST) ||
      /"(error|message)":"the /.test(response);
    assert(isOwn, response);
  },
);
