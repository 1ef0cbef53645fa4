/**
 * Nothing that a request sends outlives it: whatever its head and its body are, it gets its
 * own answer, and the requests after it get theirs.
 */

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
  toChunk,
  toolCall,
} from "./_exchanges.ts";

const BODIES = {
  "/api/hash": JSON.stringify(HASH),
  "/mcp": JSON.stringify(toolCall("hashText", HASH)),
};

/** Headers of a body, in which `N` stands for its length. */
const LENGTHS = [
  "Content-Length: N\r\nContent-Length: N",
  "Content-Length: N\r\nContent-Length: N\r\nContent-Length: N",
  "Content-Length: N, N",
  "Content-Length: N\r\nContent-Length: 2",
  "Content-Length: 2\r\nContent-Length: N",
  "Content-Length: +N",
  "Content-Length: -N",
  "Content-Length: 0xN",
  "Content-Length: Ne0",
  "Content-Length: N.0",
  "Content-Length: N N",
  "Content-Length: ",
  "Content-Length: NaN",
  "Content-Length: Infinity",
  "Content-Length: 000N",
  `Content-Length: ${"0".repeat(1_000)}N`,
  "Content-Length: 9007199254740993",
  "Content-Length: 18446744073709551616",
  `Content-Length: ${"9".repeat(400)}`,
  "Content-Length: N\r\nTransfer-Encoding: identity",
  "Content-Length: N\r\nHost: g",
  "Content-Length: N\r\nContent-Encoding: identity\r\nContent-Encoding: gzip",
  "Content-Length: N\r\nContent-Encoding: ,,identity,",
  `Content-Length: N\r\nContent-Encoding: ${",".repeat(60_000)}`,
  "Content-Length: N\r\nExpect: 200-ok",
  "Content-Length: N\r\nExpect: , ",
  "Content-Length: N\r\nConnection: close, content-length",
  "Content-Length: N\r\nRange: bytes=5-2",
  "Content-Length: N\r\nAccept-Encoding: gzip;q=NaN, identity;q=-1",
  "X-Nothing: a",
];

const CODINGS = [
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: CHUNKED",
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: chunked, gzip",
  "Transfer-Encoding: gzip",
  "Transfer-Encoding: identity",
  "Transfer-Encoding: identity, chunked",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding: chunked;a=b",
  "Transfer-Encoding: ,chunked,",
  "Transfer-Encoding: ",
  "Transfer-Encoding: chunked\r\nContent-Length: N",
  "Content-Length: N\r\nTransfer-Encoding: chunked",
  "Content-Length: N\r\nContent-Length: N\r\nTransfer-Encoding: chunked",
];

/**
 * Bodies in chunks whose sizes or trailers are odd, in which `BODY` stands for the body.
 * Deno closes the connection when a size is malformed, mostly before there is an answer.
 */
const CHUNKS = [
  "-1\r\nBODY\r\n0\r\n\r\n",
  "+1f\r\nBODY\r\n0\r\n\r\n",
  "0x10\r\nBODY\r\n0\r\n\r\n",
  "ffffffffffffffff\r\nBODY\r\n0\r\n\r\n",
  "fffffffffffffffff\r\nBODY\r\n0\r\n\r\n",
  "1000000000000\r\nBODY",
  "NaN\r\nBODY\r\n0\r\n\r\n",
  "\r\nBODY\r\n0\r\n\r\n",
  `1${";a=b".repeat(10_000)}\r\n{\r\n0\r\n\r\n`,
  "1\r\n{\r\n0\r\nContent-Length: 5\r\nTransfer-Encoding: gzip\r\n\r\n",
];

/** Headers over HTTP/2, where a body has an end without a length. */
const HTTP2_HEADERS: readonly (readonly (readonly [string, string])[])[] = [
  [],
  [["content-length", "N"]],
  [["content-length", "N"], ["content-length", "N"]],
  [["content-length", "N"], ["content-length", "abc"]],
  [["content-length", "abc"], ["content-length", "N"]],
  [["content-length", "N"], ["content-length", "2"]],
  [["content-length", "2"], ["content-length", "N"]],
  [["content-length", "N, N"]],
  [["content-length", "abc"]],
  [["content-length", "-1"]],
  [["content-length", "+N"]],
  [["content-length", "0x20"]],
  [["content-length", "3e1"]],
  [["content-length", ""]],
  [["content-length", "2"]],
  [["content-length", "500"]],
  [["content-length", "1048577"]],
  [["content-length", "18446744073709551616"]],
  [["transfer-encoding", "chunked"]],
  [["transfer-encoding", "gzip, chunked"]],
  [["host", "a"], ["host", "b"]],
  [["host", "<a b>"]],
  [["expect", "nothing"]],
  [["content-encoding", "identity"], ["content-encoding", "gzip"]],
  [["connection", "close"]],
];

function setLength(text: string, body: string): string {
  return text.replaceAll(/\bN\b|(?<=0x|\d)N|N(?=e0)/g, String(body.length));
}

/** A POST whose head has further lines. */
function toRequest(path: string, lines: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: h\r\n${lines}\r\n\r\n${body}`;
}

/**
 * Checks the status and the body of a response: that of the request, or an error that is
 * the client's fault. Deno itself refuses malformed requests with an empty 400.
 */
function assertAnswered(
  path: string,
  { status, body }: { readonly status: number; readonly body: string },
): void {
  const what = `${status} ${body}`;
  if (status === 200) return assert(body.includes(DIGEST), what);
  assert(status >= 400 && status < 500 || status === 501, what);
  if (status === 400 && body === "") return;
  const answer = JSON.parse(body);
  const message = path === "/mcp" ? answer.error.message : answer.error;
  assert(typeof message === "string", what);
}

/** Sends large and small requests, each of which must be answered as if it were the first. */
async function assertUnspoiled(server: ServerProcess): Promise<void> {
  const requests = [
    LARGE_REQUEST,
    LARGE_CALL,
    post("/api/json", DEEP),
    post("/api/hash", HASH),
    "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
  ];
  for (const request of requests) {
    assertEquals((await exchange(server, request)).status, 200);
  }
}

/** Runs the rows of a table, and checks after each one that it has spoiled nothing. */
async function testRows(
  t: Deno.TestContext,
  rows: readonly (readonly [name: string, send: () => Promise<void>])[],
  server: ServerProcess,
): Promise<void> {
  for (const [name, send] of rows) {
    const shown = name.length > 120 ? `${name.slice(0, 120)}…` : name;
    await t.step(JSON.stringify(shown), async () => {
      await send();
      await assertUnspoiled(server);
    });
  }
}

for (const [path, body] of Object.entries(BODIES)) {
  Deno.test(`an odd head of ${path} spoils no other request`, async (t) => {
    await using server = await startServer();
    const chunks = `${toChunk(body)}0\r\n\r\n`;
    const requests = [
      ...LENGTHS.map((lines) => [lines, body] as const),
      ...CODINGS.map((lines) => [lines, chunks] as const),
    ];
    const rows = requests.map(([lines, sent]) => {
      const request = toRequest(path, setLength(lines, body), sent);
      const send = async () =>
        assertAnswered(path, await exchange(server, request));
      return [lines, send] as const;
    });
    await testRows(t, rows, server);
  });

  Deno.test(`odd chunks of ${path} spoil no other request`, async (t) => {
    await using server = await startServer({ BODY_TIMEOUT_MS: "300" });
    const rows = CHUNKS.map((chunks) => {
      const request = postHead(path) + chunks.replace("BODY", body);
      const send = async () => {
        using connection = await RawConnection.open(server);
        await connection.send(request);
        if (await connection.isClosed()) return;
        assertAnswered(path, await connection.receive());
      };
      return [chunks, send] as const;
    });
    await testRows(t, rows, server);
  });

  Deno.test(`odd headers of ${path} over HTTP/2 spoil no other request`, async (t) => {
    await using server = await startServer();
    const rows = HTTP2_HEADERS.map((odd) => {
      const headers = odd.map(([name, value]) =>
        [name, setLength(value, body)] as const
      );
      const send = async () => {
        const answer = await postHttp2(server, { path, headers, body });
        const isRight = answer === "" || answer.includes(DIGEST) ||
          /"(error|message)":"the /.test(answer);
        assert(isRight, answer);
      };
      return [JSON.stringify(odd), send] as const;
    });
    await testRows(t, rows, server);
  });
}

Deno.test("a transfer coding other than chunked gets 501, naming the header", async () => {
  await using server = await startServer();
  for (const [path, body] of Object.entries(BODIES)) {
    const lines = "Transfer-Encoding: gzip, chunked";
    const chunks = `${toChunk(body)}0\r\n\r\n`;
    const answer = await exchange(server, toRequest(path, lines, chunks));
    assertEquals(answer.status, 501);
    const error = JSON.parse(answer.body).error;
    assertEquals(
      path === "/mcp" ? error.message : error,
      'the Transfer-Encoding header must be "chunked" or absent, got "gzip, chunked"',
    );
  }
});
