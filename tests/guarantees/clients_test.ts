/**
 * Guarantees for ordinary clients: the service runs as users start it, and every exchange
 * goes over a real socket.
 */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { RawConnection } from "../_connection.ts";
import { createExchange, runMatrix } from "../_matrix.ts";
import {
  readVersion,
  run,
  type ServerProcess,
  startServer,
  testOnBoth,
} from "../_server.ts";
import { ask, postHead, toChunk } from "./_exchanges.ts";

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

testOnBoth(
  "every ordinary client gets its answer",
  async (server, isParallel) => {
    const every = isParallel ? 37 : 9;
    assertEquals((await runMatrix(server, { every })).failures, []);
  },
  { isBusy: true },
);

Deno.test("streaming clients in other languages get their answer", async (t) => {
  await using server = await startServer();
  for (const [command, args] of Object.entries(CLIENTS)) {
    const isInstalled = await readVersion(command) !== "";
    await t.step({
      name: isInstalled ? command : `${command} (not installed)`,
      ignore: !isInstalled,
      async fn() {
        for (const length of [2_000, 40_000, 131_073, 1_048_576]) {
          const { path, bytes, expected } = createExchange(0, length);
          const line = [command, ...args, server.origin + path];
          const { output } = await run(line, { input: bytes });
          assertEquals(JSON.parse(output), expected, `${length} bytes`);
        }
      },
    });
  }
});

/**
 * Sends 50 hashes of 1 MB at once over one HTTP/2 connection, and prints the statuses. The
 * second argument is a JSON text with additional header fields.
 */
const HTTP2_UPLOADS = `
const session = require("http2").connect(process.argv[1]);
const body = JSON.stringify({ algorithm: "sha1", input: "a" }).padEnd(1000000);
const fields = JSON.parse(process.argv[2]);
const headers = { ":method": "POST", ":path": "/api/hash", ...fields };
const upload = () => new Promise((resolve, reject) => {
  const stream = session.request(headers);
  stream.on("response", (answer) => resolve(answer[":status"])).on("error", reject);
  stream.resume().end(body);
});
Promise.all(Array.from({ length: 50 }, upload)).then((statuses) => {
  console.log(statuses.join(" "));
  session.close();
});`;

const hasNode = await readVersion("node") !== "";

for (
  const [length, fields] of [
    ["their length", { "content-length": 1_000_000 }],
    ["no length", {}],
  ] as const
) {
  Deno.test({
    name:
      `50 uploads at once over one HTTP/2 connection that announce ${length} are all answered (needs Node)`,
    ignore: !hasNode,
    async fn() {
      await using server = await startServer();
      const command = ["node", "-e", HTTP2_UPLOADS, server.origin];
      const { output, log } = await run([...command, JSON.stringify(fields)]);
      assertEquals([output.trim(), log], [Array(50).fill(200).join(" "), ""]);
    },
  });
}

/** Sends a body at a rate in KiB a second, until it is sent or the response comes. */
async function sendSlowly(
  server: ServerProcess,
  { path, bytes }: { path: string; bytes: Uint8Array },
  { speed, isChunked }: { speed: number; isChunked: boolean },
) {
  using connection = await RawConnection.open(server);
  let isAnswered = false;
  const answer = connection.receive().finally(() => isAnswered = true);
  const { length } = bytes;
  await connection.send(postHead(path, isChunked ? undefined : length));
  const start = performance.now();
  for (let sent = 0; sent < length && !isAnswered;) {
    const piece = String.fromCharCode(...bytes.subarray(sent, sent + 4_096));
    await connection.send(isChunked ? toChunk(piece) : piece);
    sent += piece.length;
    await delay(start + sent / (speed * 1.024) - performance.now());
  }
  if (isChunked && !isAnswered) await connection.send("0\r\n\r\n");
  return await answer;
}

Deno.test("a body may take longer than BODY_TIMEOUT_MS at 64 KiB/s or more, not below", async () => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "500" });
  async function check(index: number, speed: number, isChunked: boolean) {
    const exchange = createExchange(index, 160_000);
    const form = { speed, isChunked };
    const { status, body } = await sendSlowly(server, exchange, form);
    const name = `${exchange.path} ${JSON.stringify(form)}: ${body}`;
    assertEquals(status, speed < 64 ? 408 : 200, name);
    if (status === 200) assertEquals(JSON.parse(body), exchange.expected);
  }
  // The operations 0 and 2 are a hash and a tool call.
  await Promise.all([0, 2].flatMap((index) => [
    ...[160, 30].map((speed) => check(index, speed, true)),
    ...[160, 30].map((speed) => check(index, speed, false)),
  ]));
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
  while (logged().length < lines.length) await delay(5);
  for (const line of logged()) {
    assertMatch(line, /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u);
    assert(line.length <= 500, `${line.length} characters`);
  }
});
