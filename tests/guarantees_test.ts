/**
 * Guarantees for ordinary clients, and for all clients under load: the service runs as users start
 * it, and every exchange goes over a real socket.
 */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { RawConnection } from "./_connection.ts";
import { FRAME, Http2Client, ignoreClosed } from "./_http2.ts";
import { createExchange, runMatrix, toolCall } from "./_matrix.ts";
import { type ServerProcess, startServer, testOnPosix } from "./_server.ts";

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

/** The head of a POST with a body of a length, or in chunks. */
function postHead(path: string, length?: number): string {
  const framing = length === undefined
    ? "Transfer-Encoding: chunked"
    : `Content-Length: ${length}`;
  return `POST ${path} HTTP/1.1\r\nHost: h\r\n${framing}\r\n\r\n`;
}

/** A POST of JSON, padded with spaces to a length. */
function post(path: string, fields: object, length = 0): string {
  const body = JSON.stringify(fields).padEnd(length);
  return postHead(path, body.length) + body;
}

function toChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

const HASH = { algorithm: "sha1", input: "a" };
const DIGEST = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8";

/** Almost as long as a request can be to count as small. */
const SMALL_REQUEST = post("/api/hash", HASH, 32_000);
const SMALL_CALL = post("/mcp", toolCall("hashText", HASH), 32_000);

/** A body and a result of 900 KB. */
const LARGE = { action: "minify", input: `[${"0,".repeat(450_000)}0]` };
const LARGE_REQUEST = post("/api/json", LARGE);
const LARGE_CALL = post("/mcp", toolCall("processJson", LARGE));

/** Large requests that are in progress at a time. */
const LARGE_COUNT = 16;

/** A body of 4 KB with a result just below 8 MiB. */
const DEEP = { action: "format", input: "[".repeat(2e3) + "]".repeat(2e3) };
const DEEP_POST = { method: "POST", body: JSON.stringify(DEEP) };
const DEEP_CALL = post("/mcp", toolCall("processJson", DEEP));
const DEEP_RESULT = JSON.stringify(JSON.parse(DEEP.input), null, 2);

/** Settings of an HTTP/2 connection on which the service cannot send a result. */
const UNREAD = { windowBytes: 0 };

/** Sends a request and returns the status of its answer. */
async function ask(connection: RawConnection, request: string) {
  await connection.send(request);
  return (await connection.receive()).status;
}

/** Repeats a request until another one is answered with 200, and returns the number of repetitions. */
async function countUntil(
  answer: Promise<number>,
  connection: RawConnection,
  request: string,
): Promise<number> {
  let isOver = false;
  answer.finally(() => isOver = true).catch(() => {});
  let count = 0;
  for (; !isOver; count += 1) {
    assertEquals(await ask(connection, request), 200);
    assert(count < 20_000, "the other request is not answered");
  }
  assertEquals(await answer, 200);
  return count;
}

/** Sends small requests and small tool calls; each must be answered. */
async function assertSmallAnswered(server: ServerProcess): Promise<void> {
  using connection = await RawConnection.open(server);
  for (let i = 0; i < 20; i += 1) {
    for (const request of [SMALL_REQUEST, SMALL_CALL]) {
      await connection.send(request);
      const { status, body } = await connection.receive();
      assert(status === 200 && body.includes(DIGEST), `${status} ${body}`);
    }
  }
}

/** Opens connections; those that are refused are left out. */
async function openMany(
  scope: DisposableStack,
  server: ServerProcess,
  count: number,
): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let i = 0; i < count; i += 1) {
    const connection = await RawConnection.open(server).catch(() => undefined);
    if (connection !== undefined) connections.push(scope.use(connection));
  }
  return connections;
}

/** Asks for results of 8 MiB over HTTP/2, on a connection each, and reads none. */
async function requestResults(
  scope: DisposableStack,
  { port }: ServerProcess,
  count: number,
): Promise<Http2Client[]> {
  const clients: Http2Client[] = [];
  for (let i = 0; i < count; i += 1) {
    const client = scope.use(await Http2Client.open(port, UNREAD));
    await client.send(...client.request("/api/json", DEEP_POST));
    clients.push(client);
  }
  return clients;
}

/** Like `requestResults()`, and waits until the responses have begun. */
async function holdResults(
  scope: DisposableStack,
  server: ServerProcess,
  count: number,
): Promise<Http2Client[]> {
  const clients = await requestResults(scope, server, count);
  for (const client of clients) {
    await client.receive(({ type }) => type === FRAME.headers);
  }
  return clients;
}

/** Reads a stream to its end, and returns the number of bytes, whole or cut off. */
async function readRest(client: Http2Client): Promise<number> {
  let bytes = 0;
  await client.send(...client.openWindow(2 * DEEP_RESULT.length));
  await client.receive(({ type, length, isEnd }) => {
    if (type === FRAME.data) bytes += length;
    return isEnd || type === FRAME.resetStream;
  }).catch(() => {});
  return bytes;
}

/** Asks for a result of 8 MiB, which comes whole, or 503 with `Retry-After`. */
async function askDeep({ origin }: ServerProcess): Promise<number> {
  const response = await fetch(`${origin}/api/json`, DEEP_POST);
  const answer = await response.json();
  if (response.status === 200) assertEquals(answer.result, DEEP_RESULT);
  else {
    assertEquals(response.status, 503);
    assertEquals(Object.keys(answer), ["error"]);
    assertMatch(response.headers.get("retry-after") ?? "", /^\d+$/);
  }
  return response.status;
}

for (const isParallel of [false, true]) {
  const where = isParallel ? "on all cores" : "on one core";

  Deno.test(`every ordinary client gets its answer, ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    const every = isParallel ? 37 : 9;
    assertEquals((await runMatrix(server, { every })).failures, []);
  });

  Deno.test(`a small request is answered before large ones that came first, ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    await assertSmallAnswered(server);
    for (const request of [LARGE_REQUEST, LARGE_CALL]) {
      for (const small of [SMALL_REQUEST, SMALL_CALL]) {
        using scope = new DisposableStack();
        const large = await openMany(scope, server, LARGE_COUNT);
        using connection = await RawConnection.open(server);
        const bytes = new TextEncoder().encode(request);
        for (const each of large) await each.send(bytes.subarray(0, -1));
        let count = 0;
        const answers = large.map((each) =>
          each.receive().finally(() => count += 1)
        );
        await Promise.all(large.map((each) => each.send("}")));
        assertEquals(await ask(connection, small), 200);
        const countBefore = count;
        for (const { status } of await Promise.all(answers)) {
          assert(status === 200 || status === 503, String(status));
        }
        const message = `answered after ${countBefore} of ${LARGE_COUNT}`;
        assert(countBefore < LARGE_COUNT / 2, message);
      }
    }
  });

  Deno.test(`small requests are answered while transfers that stand still fill the budget, ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    using scope = new DisposableStack();
    await holdResults(scope, server, 10);
    // The last ones leave less room than a small request would need.
    const sizes = [...Array(80).fill(1_000_000), ...Array(80).fill(35_000)];
    const uploads = await openMany(scope, server, sizes.length);
    for (const [i, upload] of uploads.entries()) {
      const path = i % 2 === 0 ? "/api/hash" : "/mcp";
      const head = i % 4 < 2
        ? `${postHead(path)}fffff\r\n`
        : postHead(path, sizes[i] + 1);
      // The service may refuse it, and close the connection.
      await ignoreClosed(upload.send(head + " ".repeat(sizes[i])));
    }
    await assertSmallAnswered(server);
    await delay(1_100);
    const large = [askDeep(server), askDeep(server), askDeep(server)];
    await assertSmallAnswered(server);
    await Promise.all(large);
  });

  Deno.test(`a hundred large requests at once are all answered, ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    using scope = new DisposableStack();
    const requests = [
      LARGE_REQUEST,
      LARGE_CALL,
      post("/api/hash", HASH, 1_000_000),
      post("/api/base64", { action: "encode", input: "a" }, 1_000_000),
    ];
    const clients = await openMany(scope, server, 100);
    const asked = clients.map((client, i) => ask(client, requests[i % 4]!));
    assertEquals(await Promise.all(asked), Array(100).fill(200));
  });

  Deno.test(`large requests are answered while others stand still halfway, ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    using scope = new DisposableStack();
    const head = postHead("/api/hash", 1_000_000);
    for (const bytes of [1, 40_000, 150_000]) {
      for (const client of await openMany(scope, server, 100)) {
        await client.send(head.padEnd(head.length + bytes));
      }
    }
    await assertSmallAnswered(server);
    using connection = await RawConnection.open(server);
    for (const request of [LARGE_REQUEST, LARGE_CALL]) {
      assertEquals(await ask(connection, request), 200);
    }
  });

  Deno.test(`results that are not read make room for a client that retries, ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    using scope = new DisposableStack();
    const results = await holdResults(scope, server, 16);
    await Promise.all([askDeep(server), askDeep(server), askDeep(server)]);
    let status = 503;
    for (let attempt = 0; status === 503 && attempt < 5; attempt += 1) {
      await delay(1_000);
      status = await askDeep(server);
    }
    assertEquals(status, 200);
    const sizes = await Promise.all(results.map(readRest));
    const whole = sizes.filter((bytes) => bytes > DEEP_RESULT.length).length;
    assert(whole <= 8, `${whole} results of 8 MiB were held`);
  });

  Deno.test(`work for clients that have disconnected delays no other client, ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    using large = await RawConnection.open(server);
    using small = await RawConnection.open(server);
    const measure = () =>
      countUntil(ask(large, LARGE_REQUEST), small, SMALL_REQUEST);
    const usual = await measure();
    assertEquals(await ask(small, SMALL_CALL), 200); // Loads the package.
    {
      using scope = new DisposableStack();
      const clients = await openMany(scope, server, 60);
      for (const each of clients) await each.send(DEEP_CALL);
      await delay(50);
    }
    const call = ask(small, SMALL_CALL);
    const largeCount = await countUntil(call, large, LARGE_REQUEST);
    assert(largeCount < 4, `after ${largeCount} large requests`);
    using scope = new DisposableStack();
    for (let i = 0; i < 100; i += 1) {
      const client = scope.use(await Http2Client.open(server.port, UNREAD));
      const frames = client.request("/api/json", DEEP_POST);
      await client.send(...frames, client.reset());
    }
    const count = await measure();
    assert(count < 4 * usual + 100, `after ${count}, usually ${usual}`);
  });

  testOnPosix(
    `the service survives the lack of file descriptors, ${where}`,
    async () => {
      await using server = await startServer({}, { isParallel, maxFiles: 64 });
      {
        using scope = new DisposableStack();
        const early = await openMany(scope, server, 4);
        for (const each of early) await ask(each, SMALL_REQUEST);
        await openMany(scope, server, 200);
        await delay(300);
        // The first tool calls come now. They may fail.
        const calls = early.map((each) => ask(each, SMALL_CALL));
        await Promise.race([Promise.allSettled(calls), delay(1_000)]);
      }
      let hasEnded = false;
      server.status.then(() => hasEnded = true);
      let isReachable = false;
      while (!isReachable) {
        await delay(50);
        assert(!hasEnded, server.log());
        const answered = assertSmallAnswered(server);
        isReachable = await answered.then(() => true, () => false);
      }
    },
  );
}

Deno.test("streaming clients in other languages get their answer", async (t) => {
  await using server = await startServer();
  for (const [command, args] of Object.entries(CLIENTS)) {
    const isInstalled = await new Deno.Command(command, {
      args: ["--version"],
    }).output().then(({ success }) => success, () => false);
    await t.step({
      name: isInstalled ? command : `${command} (not installed)`,
      ignore: !isInstalled,
      async fn() {
        for (const length of [2_000, 40_000, 131_073, 1_048_576]) {
          const { path, bytes, expected } = createExchange(0, length);
          const child = new Deno.Command(command, {
            args: [...args, server.origin + path],
            stdin: "piped",
            stdout: "piped",
          }).spawn();
          await new Blob([bytes]).stream().pipeTo(child.stdin);
          const { stdout } = await child.output();
          const answer = JSON.parse(new TextDecoder().decode(stdout));
          assertEquals(answer, expected, `${length} bytes`);
        }
      },
    });
  }
});

/** Sends 50 hashes of 1 MB at once over one HTTP/2 connection, and prints the statuses. */
const HTTP2_UPLOADS = `
const session = require("http2").connect(process.argv[1]);
const body = JSON.stringify({ algorithm: "sha1", input: "a" }).padEnd(1000000);
const headers = { ":method": "POST", ":path": "/api/hash" };
const upload = () => new Promise((resolve, reject) => {
  const stream = session.request({ ...headers, "content-length": body.length });
  stream.on("response", (answer) => resolve(answer[":status"])).on("error", reject);
  stream.resume().end(body);
});
Promise.all(Array.from({ length: 50 }, upload)).then((statuses) => {
  console.log(statuses.join(" "));
  session.close();
});`;

Deno.test("50 uploads at once over one HTTP/2 connection are all answered", async (t) => {
  const isInstalled = await new Deno.Command("node", {
    args: ["--version"],
  }).output().then(({ success }) => success, () => false);
  await t.step({
    name: isInstalled ? "node" : "node (not installed)",
    ignore: !isInstalled,
    async fn() {
      await using server = await startServer();
      const { stdout, stderr } = await new Deno.Command("node", {
        args: ["-e", HTTP2_UPLOADS, server.origin],
      }).output();
      const [answers, errors] = [stdout, stderr].map((bytes) =>
        new TextDecoder().decode(bytes)
      );
      assertEquals([answers!.trim(), errors], [
        Array(50).fill(200).join(" "),
        "",
      ]);
    },
  });
});

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

Deno.test("a client that reads 80 KiB/s gets its whole result while the budget is full", async () => {
  await using server = await startServer();
  using reader = await Http2Client.open(server.port, { windowBytes: 65_535 });
  const input = "[".repeat(380) + "]".repeat(380);
  const result = JSON.stringify(JSON.parse(input), null, 2);
  const body = JSON.stringify({ action: "format", input });
  await reader.send(...reader.request("/api/json", { body }));
  let received = 0;
  let isOver = false;
  const reading = reader.receive(({ type, length, isEnd }) => {
    if (type === FRAME.data) received += length;
    return isOver = isEnd || type === FRAME.resetStream;
  });
  using scope = new DisposableStack();
  await requestResults(scope, server, 10);
  const asked: Promise<number>[] = [];
  const start = performance.now();
  for (let opened = 0; !isOver;) {
    const due = (performance.now() - start) * 80 * 1.024;
    const bytes = Math.ceil(due - opened);
    opened += bytes;
    await reader.send(...reader.openWindow(bytes));
    asked.push(askDeep(server));
    await delay(100);
  }
  await reading;
  await Promise.all(asked);
  assertEquals(received, JSON.stringify({ result, valid: true }).length);
});

Deno.test("large requests progress while small ones come without a pause", async () => {
  await using server = await startServer();
  using large = await RawConnection.open(server);
  using small = await RawConnection.open(server);
  for (let i = 0; i < 3; i += 1) {
    await countUntil(ask(large, LARGE_REQUEST), small, SMALL_REQUEST);
  }
});

Deno.test("a body in very many tiny chunks is refused and harms no other client", async (t) => {
  // On a busy machine the chunks may take longer than the default.
  await using server = await startServer({ BODY_TIMEOUT_MS: "60000" });
  const rows = [
    [1_000_000, 1, 400],
    [16_500, 15, 400],
    [16_384, 1, 200],
    [16_384, 16, 200],
    [60_000, 17, 200],
  ] as const;
  for (const [count, size, status] of rows) {
    await t.step(`${count} chunks of ${size} bytes`, async () => {
      const body = JSON.stringify(HASH).padEnd(count * size);
      const chunks = Array.from(
        { length: count },
        (_, i) => toChunk(body.slice(i * size, (i + 1) * size)),
      );
      using connection = await RawConnection.open(server);
      const request = `${postHead("/api/hash")}${chunks.join("")}0\r\n\r\n`;
      const sending = ignoreClosed(
        connection.send(new TextEncoder().encode(request)),
      );
      const answer = await connection.receive();
      assertEquals(answer.status, status, answer.body);
      assertMatch(answer.body, status === 400 ? /chunk/ : new RegExp(DIGEST));
      // To read all chunks would take the service half a minute.
      const isOver = status === 200 || connection.isClosed();
      assert(await Promise.race([isOver, delay(5_000)]), "it reads on");
      const answered = assertSmallAnswered(server).then(() => true);
      assert(await Promise.race([answered, delay(5_000)]), "it stands still");
      await sending;
    });
  }
});

Deno.test("strings that collide in the engine's table take no longer than others", async () => {
  await using server = await startServer();
  using connection = await RawConnection.open(server);
  async function measure(step: number): Promise<number> {
    const numbers = Array.from({ length: 1e4 }, (_, i) => `${(i + 1) * step}`);
    const start = performance.now();
    for (let i = 0; i < 10; i += 1) {
      assertEquals(await ask(connection, post("/api/hash", { numbers })), 400);
    }
    return performance.now() - start;
  }
  const ordinary = await measure(65_537);
  // Multiples of a power of two share their place in the table.
  const colliding = await measure(65_536);
  assert(colliding < 4 * ordinary, `${ordinary} and ${colliding} ms`);
});

Deno.test("MAX_BODY_BYTES is at most 16 MiB", async () => {
  await using server = await startServer({ MAX_BODY_BYTES: "16777216" });
  await assertSmallAnswered(server);
  const { message } = await assertRejects(async () => {
    await using _ = await startServer({ MAX_BODY_BYTES: "16777217" });
  }, Error);
  assertMatch(message, /^the server ended: MAX_BODY_BYTES must be .+\n$/);
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
