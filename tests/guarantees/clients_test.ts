/** Guarantees for ordinary clients, over real sockets to the service as users start it. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { connect } from "node:http2";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ignoreClosed, RawConnection } from "../_connection.ts";
import {
  readVersion,
  run,
  type ServerProcess,
  startServer,
  testOnBoth,
} from "../_server.ts";
import { waitFor, within } from "../_within.ts";
import { ask, HASH, postHead, toChunk, toolCall } from "./_exchanges.ts";

/** Default of the largest request body, in bytes. */
const MAX_BODY_BYTES = 1_048_576;

/** Body lengths: an ordinary one, and lengths at the limits of the service. */
const LENGTHS = [
  200,
  ...[16_384, 65_536, MAX_BODY_BYTES].flatMap((length) => [length, length + 1]),
];

/** How a client sends a body. */
interface Upload {
  readonly framing: "its length" | "chunks" | "HTTP/2";
  /** Sizes of the chunks in bytes, in a cycle. */
  readonly sizes: readonly number[];
  /** Time between chunks in milliseconds. If absent, they are sent at once. */
  readonly pauseMs?: number;
  /** Whether the client waits for the response to `Expect: 100-continue`. */
  readonly expects?: boolean;
}

const UPLOADS: readonly Upload[] = [
  { framing: "its length", sizes: [MAX_BODY_BYTES] },
  { framing: "its length", sizes: [30_000], pauseMs: 2, expects: true },
  { framing: "chunks", sizes: [100] },
  { framing: "chunks", sizes: [16_384], expects: true },
  { framing: "chunks", sizes: [1, 9_000, 300, 16_000, 40_000], pauseMs: 2 },
  { framing: "HTTP/2", sizes: [1, 9_000, 300, 16_000, 40_000] },
];

function hash(algorithm: string, text: string): object {
  const result = createHash(algorithm).update(text).digest("hex");
  return { result, algorithm };
}

function toToolResponse(structuredContent: object): object {
  const text = JSON.stringify(structuredContent);
  const result = { content: [{ type: "text", text }], structuredContent };
  return { jsonrpc: "2.0", id: 1, result };
}

/** Paths, each with functions that create a body and its response from a string. */
const OPERATIONS: readonly (readonly [
  path: string,
  createBody: (text: string) => object,
  createResponse: (text: string) => object,
])[] = [
  [
    "/api/hash",
    (text) => ({ algorithm: "sha256", input: `é${text}` }),
    (text) => hash("sha256", `é${text}`),
  ],
  [
    "/api/base64",
    (text) => ({ action: "encode", input: `é${text}` }),
    (text) => ({ result: Buffer.from(`é${text}`).toString("base64") }),
  ],
  [
    "/mcp",
    (text) => toolCall("hashText", { algorithm: "sha512", input: text }),
    (text) => toToolResponse(hash("sha512", text)),
  ],
  [
    "/api/json",
    (text) => ({ action: "format", input: `["${text}"]`, indent: 4 }),
    (text) => ({ result: `[\n    "${text}"\n]`, valid: true }),
  ],
];

/** A request, whose body has one UTF-16 code unit for each byte, and its response. */
interface Exchange {
  readonly path: string;
  readonly body: string;
  readonly expected: object;
}

/** Creates a request to an operation with a body of an exact length. */
function createExchange(index: number, length: number): Exchange {
  const [path, createBody, createResponse] =
    OPERATIONS[index % OPERATIONS.length]!;
  const encode = (text: string) =>
    Buffer.from(JSON.stringify(createBody(text))).toString("latin1");
  const filler = "The quick brown fox jumps over the lazy dog. ";
  const text = "".padEnd(length - encode("").length, filler);
  return { path, body: encode(text), expected: createResponse(text) };
}

function* split(body: string, sizes: readonly number[]): Generator<string> {
  for (let i = 0, start = 0; start < body.length; i += 1) {
    const end = start + sizes[i % sizes.length]!;
    yield body.slice(start, end);
    start = end;
  }
}

/** Sends a body over HTTP/1.1 until it is complete or the response arrives. */
async function sendHttp1(
  server: ServerProcess,
  { path, body }: Exchange,
  { framing, sizes, pauseMs, expects }: Upload,
): Promise<{ status: number; body: string }> {
  using connection = await RawConnection.open(server);
  const isChunked = framing === "chunks";
  const head = postHead(path, isChunked ? undefined : body.length);
  if (expects) {
    await connection.send(head.replace("Host", "Expect: 100-continue\r\nHost"));
    const response = await connection.receive();
    if (response.status !== 100) return response;
  } else await connection.send(head);
  const parts = [...split(body, sizes)];
  const chunks = isChunked ? [...parts.map(toChunk), "0\r\n\r\n"] : parts;
  let hasResponse = false;
  const receiving = connection.receive().finally(() => hasResponse = true);
  receiving.catch(() => {}); // It is awaited below.
  let due = performance.now();
  for (const chunk of pauseMs === undefined ? [chunks.join("")] : chunks) {
    await ignoreClosed(connection.send(chunk));
    due += pauseMs ?? 0;
    await delay(Math.max(0, due - performance.now()));
    if (hasResponse) break;
  }
  return await receiving;
}

/** Sends a body over HTTP/2, with its length if the length is even. */
async function sendHttp2(
  { origin }: ServerProcess,
  { path, body }: Exchange,
  { sizes }: Upload,
): Promise<{ body: string }> {
  const { length } = body;
  const session = connect(origin);
  // The stream also fails. An error without a listener would stop all tests.
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    ...(length % 2 === 0 ? { "content-length": length } : {}),
  });
  const chunks = [...split(body, sizes)];
  Readable.from(chunks.map((chunk) => Buffer.from(chunk, "latin1")))
    .pipe(stream);
  const received = await within(text(stream), `the response of ${path}`);
  session.destroy();
  return { body: received };
}

testOnBoth("every ordinary client gets its response", async (server) => {
  await Promise.all(UPLOADS.map(async (upload, i) => {
    for (const [j, length] of LENGTHS.entries()) {
      const exchange = createExchange(i + j, length);
      const send = upload.framing === "HTTP/2" ? sendHttp2 : sendHttp1;
      const { body } = await send(server, exchange, upload);
      const isExpected = length > MAX_BODY_BYTES
        ? body.includes(`the body must be at most ${MAX_BODY_BYTES} bytes`)
        : isDeepStrictEqual(JSON.parse(body), exchange.expected);
      const name = `${exchange.path}, ${length}, ${JSON.stringify(upload)}`;
      assert(isExpected, `${name}: got ${body.slice(0, 200)}`);
    }
  }));
  // On a busy computer, this process can send a body more slowly than the default permits.
}, { variables: { BODY_TIMEOUT_MS: "600000" } });

/**
 * Uploads 1 MB 50 times at once over one HTTP/2 connection, with the headers of the second
 * argument. Node sends all of them before it reads, unlike Deno's `node:http2`. Prints the
 * status of each response.
 */
const UPLOAD = `
const session = require("http2").connect(process.argv[1]);
const headers = JSON.parse(process.argv[2]);
const body = JSON.stringify(${JSON.stringify(HASH)}).padEnd(1_000_000);
let open = 50;
for (let i = 0; i < 50; i += 1) {
  session.request({ ":method": "POST", ":path": "/api/hash", ...headers })
    .on("response", (response) => console.log(response[":status"]))
    .on("close", () => { if (--open === 0) session.close(); })
    .resume().end(body);
}`;

Deno.test({
  name:
    "50 uploads at once over one HTTP/2 connection all succeed (needs Node)",
  ignore: await readVersion("node") === "",
  async fn() {
    await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
    for (const headers of [{ "content-length": 1e6 }, {}]) {
      const line = ["node", "-e", UPLOAD, server.origin];
      const { output, log } = await run([...line, JSON.stringify(headers)]);
      assertEquals(output, "200\n".repeat(50), log);
    }
  },
});

Deno.test("a body that stalls gets 408, and its connection is closed", async (t) => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "500" });
  for (const length of [2_000, 100_000]) {
    await t.step(`${length} bytes`, async () => {
      using stalled = await RawConnection.open(server);
      await stalled.send(postHead("/api/hash", length).padEnd(length / 4));
      const { status, head } = await stalled.receive();
      const closes = head.match(/connection: close/gi)?.length;
      assertEquals([status, closes], [408, 1]);
    });
  }
});

Deno.test("a line of the request log has a limited length and no invisible characters", async () => {
  await using server = await startServer({ LOG_REQUESTS: "1" });
  const before = server.log().length;
  using connection = await RawConnection.open(server);
  const lines = [
    // U+009B, U+202E and U+2028 in UTF-8.
    "GET /\xc2\x9b\xe2\x80\xae\xe2\x80\xa8 HTTP/1.1",
    "GET /%C2%9B%E2%80%AE%E2%80%A8 HTTP/1.1",
    `GET /${"a".repeat(50_000)} HTTP/1.1`,
    `${"M".repeat(50_000)} / HTTP/1.1`,
  ];
  for (const line of lines) await ask(connection, `${line}\r\nHost: h\r\n\r\n`);
  const logged = () => server.log().slice(before).split("\n").slice(0, -1);
  await waitFor(() => logged().length >= lines.length);
  for (const line of logged()) {
    assertMatch(line, /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u);
    assert(line.length <= 500, `${line.length} characters`);
  }
});
