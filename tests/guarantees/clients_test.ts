/**
 * Guarantees for ordinary clients: the service runs as users start it, and every exchange
 * goes over a real socket.
 */

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

/** Lengths of bodies: ordinary ones, and those beside the limits that the service has. */
const LENGTHS = [
  200,
  2_000,
  ...[32_768, 65_536, 131_072, MAX_BODY_BYTES].flatMap((length) =>
    [-1, 0, 1].map((difference) => length + difference)
  ),
];

/** A way to send a body. */
interface Form {
  readonly framing: "its length" | "chunks" | "HTTP/2";
  /** Sizes of the pieces in bytes, again and again. */
  readonly sizes: readonly number[];
  /** Time between the pieces, which are sent at once without it. */
  readonly pauseMs?: number;
  /** Whether the client waits for the answer to `Expect: 100-continue`. */
  readonly expects?: boolean;
}

const FORMS: readonly Form[] = [
  { framing: "its length", sizes: [MAX_BODY_BYTES] },
  { framing: "its length", sizes: [1_460], pauseMs: 1 },
  { framing: "its length", sizes: [30_000], pauseMs: 2, expects: true },
  { framing: "chunks", sizes: [100] },
  { framing: "chunks", sizes: [4_096], pauseMs: 1 },
  { framing: "chunks", sizes: [16_384], expects: true },
  { framing: "chunks", sizes: [65_536], pauseMs: 2 },
  { framing: "chunks", sizes: [1, 9_000, 300, 16_000, 40_000], pauseMs: 2 },
  { framing: "HTTP/2", sizes: [100] },
  { framing: "HTTP/2", sizes: [16_384] },
  { framing: "HTTP/2", sizes: [1, 9_000, 300, 16_000, 40_000] },
];

function hash(algorithm: string, text: string): object {
  const result = createHash(algorithm).update(text).digest("hex");
  return { result, algorithm };
}

function toolAnswer(structuredContent: object): object {
  const text = JSON.stringify(structuredContent);
  const result = { content: [{ type: "text", text }], structuredContent };
  return { jsonrpc: "2.0", id: 1, result };
}

/** Paths, each with the body and the answer of a request with some text. */
const OPERATIONS: readonly (readonly [
  path: string,
  createBody: (text: string) => object,
  createAnswer: (text: string) => object,
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
    (text) => toolAnswer(hash("sha512", text)),
  ],
  [
    "/api/json",
    (text) => ({ action: "format", input: `["${text}"]`, indent: 4 }),
    (text) => ({ result: `[\n    "${text}"\n]`, valid: true }),
  ],
];

/** A request, whose body has one UTF-16 code unit for each byte, and its answer. */
interface Exchange {
  readonly path: string;
  readonly body: string;
  readonly expected: object;
}

/** Makes the request of an operation with a body of an exact length. */
function createExchange(index: number, length: number): Exchange {
  const [path, createBody, createAnswer] =
    OPERATIONS[index % OPERATIONS.length]!;
  const encode = (text: string) =>
    Buffer.from(JSON.stringify(createBody(text))).toString("latin1");
  const filler = "The quick brown fox jumps over the lazy dog. ";
  const text = "".padEnd(length - encode("").length, filler);
  return { path, body: encode(text), expected: createAnswer(text) };
}

function* cut(body: string, sizes: readonly number[]): Generator<string> {
  for (let i = 0, start = 0; start < body.length; i += 1) {
    const end = start + sizes[i % sizes.length]!;
    yield body.slice(start, end);
    start = end;
  }
}

/** Sends a body over HTTP/1.1 until it is sent or the response comes. */
async function sendHttp1(
  server: ServerProcess,
  { path, body }: Exchange,
  { framing, sizes, pauseMs, expects }: Form,
): Promise<{ status: number; body: string }> {
  using connection = await RawConnection.open(server);
  const isChunked = framing === "chunks";
  const head = postHead(path, isChunked ? undefined : body.length);
  if (expects) {
    await connection.send(head.replace("Host", "Expect: 100-continue\r\nHost"));
    const answer = await connection.receive();
    if (answer.status !== 100) return answer;
  } else await connection.send(head);
  const cuts = [...cut(body, sizes)];
  const pieces = isChunked ? [...cuts.map(toChunk), "0\r\n\r\n"] : cuts;
  let isAnswered = false;
  const answer = connection.receive().finally(() => isAnswered = true);
  answer.catch(() => {}); // It is awaited below.
  let due = performance.now();
  for (const piece of pauseMs === undefined ? [pieces.join("")] : pieces) {
    await ignoreClosed(connection.send(piece));
    due += pauseMs ?? 0;
    await delay(Math.max(0, due - performance.now()));
    if (isAnswered) break;
  }
  return await answer;
}

/** Sends a body over HTTP/2, with its length if that is even. */
async function sendHttp2(
  { origin }: ServerProcess,
  { path, body }: Exchange,
  { sizes }: Form,
): Promise<{ body: string }> {
  const { length } = body;
  const session = connect(origin);
  // Then the stream fails, too; an error without a listener would end all tests.
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    ...(length % 2 === 0 ? { "content-length": length } : {}),
  });
  const pieces = [...cut(body, sizes)];
  Readable.from(pieces.map((piece) => Buffer.from(piece, "latin1")))
    .pipe(stream);
  const answer = { body: await within(text(stream), `the answer of ${path}`) };
  session.destroy();
  return answer;
}

testOnBoth("every ordinary client gets its answer", async (server) => {
  await Promise.all(FORMS.map(async (form, i) => {
    for (const [j, length] of LENGTHS.entries()) {
      const exchange = createExchange(i + j, length);
      const send = form.framing === "HTTP/2" ? sendHttp2 : sendHttp1;
      const { body } = await send(server, exchange, form);
      const isRight = length > MAX_BODY_BYTES
        ? body.includes(`the body must be at most ${MAX_BODY_BYTES} bytes`)
        : isDeepStrictEqual(JSON.parse(body), exchange.expected);
      const name = `${exchange.path}, ${length}, ${JSON.stringify(form)}`;
      assert(isRight, `${name}: answered with ${body.slice(0, 200)}`);
    }
  }));
  // On a busy machine, this process may send a body more slowly than the default permits.
}, { variables: { BODY_TIMEOUT_MS: "600000" } });

/** Clients in other languages, which stream standard input to a URL. */
const CLIENTS = {
  curl: ["-sS", "-X", "POST", "-T", "-"],
  node: [
    "-e",
    `const body = require("stream").Readable.toWeb(process.stdin);
    fetch(process.argv[1], { method: "POST", body, duplex: "half" })
      .then((response) => response.text()).then(console.log);`,
  ],
  python3: [
    "-c",
    `import http.client, sys, urllib.parse
url = urllib.parse.urlparse(sys.argv[1])
connection = http.client.HTTPConnection(url.netloc)
body = iter(lambda: sys.stdin.buffer.read(8192), b"")
connection.request("POST", url.path, body, {"Transfer-Encoding": "chunked"},
                   encode_chunked=True)
print(connection.getresponse().read().decode())`,
  ],
};

Deno.test("streaming clients in other languages get their answer", async (t) => {
  await using server = await startServer();
  for (const [command, args] of Object.entries(CLIENTS)) {
    const isInstalled = await readVersion(command) !== "";
    await t.step({
      name: isInstalled ? command : `${command} (not installed)`,
      ignore: !isInstalled,
      async fn() {
        for (const length of [2_000, 40_000, 131_073, 1_048_576]) {
          const { path, body, expected } = createExchange(0, length);
          const line = [command, ...args, server.origin + path];
          const input = new Uint8Array(Buffer.from(body, "latin1"));
          const { output } = await run(line, { input });
          assertEquals(JSON.parse(output), expected, `${length} bytes`);
        }
      },
    });
  }
});

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
    .on("response", (answer) => console.log(answer[":status"]))
    .on("close", () => { if (--open === 0) session.close(); })
    .resume().end(body);
}`;

/** Headers of the uploads, and how many of these are answered at least, by their names. */
const UPLOADS: Readonly<Record<string, readonly [object, number]>> = {
  // They fit into the 48 MiB that bodies can have.
  "50 uploads that announce their length": [{ "content-length": 1e6 }, 50],
  // Each needs a MiB.
  "48 of 50 uploads that announce no length": [{}, 48],
};

const isNodeInstalled = await readVersion("node") !== "";
for (const [name, [headers, min]] of Object.entries(UPLOADS)) {
  Deno.test({
    name:
      `${name}, at once over one HTTP/2 connection, are answered (needs Node)`,
    ignore: !isNodeInstalled,
    async fn() {
      await using server = await startServer({ BODY_TIMEOUT_MS: "600000" });
      const line = ["node", "-e", UPLOAD, server.origin];
      const { output, log } = await run([...line, JSON.stringify(headers)]);
      const statuses = output.trim().split("\n");
      assertEquals(statuses.length, 50, log);
      const answered = statuses.filter((status) => status === "200").length;
      const refused = statuses.filter((status) => status === "503").length;
      assertEquals(answered + refused, 50, output);
      assert(answered >= min, output);
    },
  });
}

Deno.test("a body may take longer than BODY_TIMEOUT_MS at 64 KiB/s or more, not below", async () => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "500" });
  async function check(
    index: number,
    form: Form,
    { length, status }: { readonly length: number; readonly status: number },
  ) {
    const exchange = createExchange(index, length);
    const answer = await sendHttp1(server, exchange, form);
    const name = `${exchange.path} ${JSON.stringify(form)}: ${answer.body}`;
    assertEquals(answer.status, status, name);
    if (status === 200) {
      assertEquals(JSON.parse(answer.body), exchange.expected);
    }
  }
  // At 30 KiB/s.
  const slow = { sizes: [4_096], pauseMs: 133 };
  // 900 KB may take 13 s at 64 KiB/s, so a busy machine does not make them late.
  const pausing = { sizes: [900_000], pauseMs: 1_000 };
  // The operations 0 and 2 are a hash and a tool call.
  await Promise.all(
    [0, 2].flatMap((index) =>
      (["its length", "chunks"] as const).flatMap((framing) => [
        check(index, { framing, ...slow }, { length: 160_000, status: 408 }),
        check(index, { framing, ...pausing }, { length: 1e6, status: 200 }),
      ])
    ),
  );
  for (const length of [2_000, 200_000]) {
    using stalled = await RawConnection.open(server);
    await stalled.send(postHead("/api/hash", length).padEnd(length / 4));
    const { status, head } = await stalled.receive();
    assertEquals([status, head.match(/connection: close/gi)?.length], [408, 1]);
  }
});

Deno.test("a line of the request log is bounded and has no invisible character", async () => {
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
