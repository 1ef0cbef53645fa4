/**
 * The promises about load and about ordinary clients, as users see them: the
 * service runs as it is started, and everything goes over real sockets.
 */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { RawConnection } from "./_connection.ts";
import { FRAME, Http2Client, ignoreClosed } from "./_http2.ts";
import { createExchange, runMatrix, toolCall } from "./_matrix.ts";
import { type ServerProcess, startServer, testOnPosix } from "./_server.ts";

const EXECUTIONS = [["one core", false], ["all cores", true]] as const;

/** Clients in other languages: they stream standard input to the URL of `hashText`. */
const CLIENTS = {
  curl: ["curl", "-sS", "-X", "POST", "-T", "-"],
  node: [
    "node",
    "-e",
    `const body = require("stream").Readable.toWeb(process.stdin);
    fetch(process.argv[1], { method: "POST", body, duplex: "half" })
      .then((response) => response.text()).then(console.log);`,
  ],
  python3: [
    "python3",
    "-c",
    `import http.client, sys, urllib.parse
url = urllib.parse.urlparse(sys.argv[1])
connection = http.client.HTTPConnection(url.netloc)
body = iter(lambda: sys.stdin.buffer.read(8192), b"")
connection.request("POST", url.path, body, encode_chunked=True,
                   headers={"Transfer-Encoding": "chunked"})
print(connection.getresponse().read().decode())`,
  ],
} as const;

const delay = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function postHead(path: string, length?: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: h\r\n${
    length === undefined
      ? "Transfer-Encoding: chunked"
      : `Content-Length: ${length}`
  }\r\n\r\n`;
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

const HASH_A = '{"algorithm":"sha1","input":"a"}';
const DIGEST_A = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8";

/** Small requests on both paths, answered with `DIGEST_A`. */
const SMALL = {
  "/api/hash": post("/api/hash", HASH_A),
  "/mcp": post(
    "/mcp",
    JSON.stringify(toolCall("hashText", JSON.parse(HASH_A))),
  ),
};

/** Asks for small things on a connection of its own; each must be answered. */
async function assertSmallAnswered(
  server: ServerProcess,
  count = 20,
): Promise<void> {
  for (const request of Object.values(SMALL)) {
    using connection = await RawConnection.open(server);
    for (let i = 0; i < count; i += 1) {
      await connection.send(request);
      const { status, body } = await connection.receive();
      assertEquals(status, 200, body);
      assert(body.includes(DIGEST_A), body);
    }
  }
}

/** Arguments whose result is just below 8 MiB, and that result. */
const DEEP = {
  action: "format",
  input: "[".repeat(2_046) + "]".repeat(2_046),
};
const DEEP_RESULT = JSON.stringify(JSON.parse(DEEP.input), null, 2);
const DEEP_BODY = JSON.stringify(DEEP);

/** Arguments and a result of 800 KB. */
const LARGE = { action: "minify", input: `[${"0,".repeat(400_000)}0]` };

/** Large requests on both paths. */
const LARGE_BODIES = {
  "/api/json": JSON.stringify(LARGE),
  "/mcp": JSON.stringify(toolCall("processJson", LARGE)),
};

/** Opens connections until the end of the scope. */
async function openMany(
  server: ServerProcess,
  count: number,
): Promise<RawConnection[] & Disposable> {
  const connections: RawConnection[] = [];
  while (connections.length < count) {
    connections.push(await RawConnection.open(server));
  }
  return Object.assign(connections, {
    [Symbol.dispose]() {
      for (const connection of connections) connection[Symbol.dispose]();
    },
  });
}

/** Asks for results of 8 MiB over HTTP/2, each on its connection, and reads none. */
async function holdResults(
  server: ServerProcess,
  count: number,
): Promise<Http2Client[] & Disposable> {
  const clients: Http2Client[] = [];
  while (clients.length < count) {
    const client = await Http2Client.open(server.port, { windowBytes: 0 });
    clients.push(client);
    await client.send(...client.request("/api/json", { body: DEEP_BODY }));
  }
  const answers = clients.map((client) =>
    client.receive(({ type }) => type === FRAME.headers)
  );
  await Promise.all(answers);
  return Object.assign(clients, {
    [Symbol.dispose]() {
      for (const client of clients) client[Symbol.dispose]();
    },
  });
}

/** Reads what is left of the newest stream; how many bytes, ended or cut off. */
async function readRest(client: Http2Client): Promise<number> {
  let bytes = 0;
  await client.send(...client.openWindow(2 * DEEP_RESULT.length));
  await client.receive(({ type, length, isEnd }) => {
    if (type === FRAME.data) bytes += length;
    return isEnd || type === FRAME.resetStream;
  }).catch(() => {});
  return bytes;
}

/** Asks for a result of 8 MiB: all of it, or 503 with `Retry-After`. */
async function askDeep({ origin }: ServerProcess): Promise<number> {
  const init = { method: "POST", body: DEEP_BODY };
  const response = await fetch(`${origin}/api/json`, init);
  const answer = await response.json();
  if (response.status === 200) assertEquals(answer.result, DEEP_RESULT);
  else {
    assertEquals(response.status, 503);
    assertEquals(Object.keys(answer), ["error"]);
    assertMatch(response.headers.get("retry-after") ?? "", /^\d+$/);
  }
  return response.status;
}

for (const [where, isParallel] of EXECUTIONS) {
  Deno.test(`every ordinary client gets its answer, on ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    const every = isParallel ? 41 : 11;
    assertEquals((await runMatrix(server, { every })).failures, []);
  });

  Deno.test(`a small request is answered before large ones that came first, on ${where}`, async (t) => {
    await using server = await startServer({}, { isParallel });
    await assertSmallAnswered(server);
    for (const [largePath, body] of Object.entries(LARGE_BODIES)) {
      for (const [smallPath, small] of Object.entries(SMALL)) {
        await t.step(`${smallPath} beside ${largePath}`, async () => {
          using large = await openMany(server, 24);
          using connection = await RawConnection.open(server);
          const request = post(largePath, body);
          const bytes = new TextEncoder().encode(request);
          for (const each of large) await each.send(bytes.subarray(0, -1));
          let answered = 0;
          const answers = large.map(async (each) => {
            const { status } = await each.receive();
            answered += 1;
            return status;
          });
          await Promise.all(large.map((each) => each.send("}")));
          await connection.send(small);
          assertEquals((await connection.receive()).status, 200);
          const answeredBefore = answered;
          for (const status of await Promise.all(answers)) {
            assert(status === 200 || status === 503, String(status));
          }
          assert(answeredBefore < 4, `after ${answeredBefore} of 24`);
        });
      }
    }
  });

  Deno.test(`small requests are answered while transfers that stand still fill the budget, on ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    using results = await holdResults(server, 10);
    using uploads = await openMany(server, 80);
    const sent = new Uint8Array(1_000_000).fill(0x20);
    for (const [i, upload] of uploads.entries()) {
      const path = i % 2 === 0 ? "/api/hash" : "/mcp";
      const chunked = `${postHead(path)}${chunk(" ".repeat(8))}fffff\r\n`;
      const isChunked = i % 4 < 2;
      await upload.send(isChunked ? chunked : postHead(path, 1_048_576));
      // It may refuse what finds no room, and close the connection.
      await ignoreClosed(upload.send(sent));
    }
    await assertSmallAnswered(server);
    await delay(1_100);
    const larger = [askDeep(server), askDeep(server)];
    await assertSmallAnswered(server);
    await Promise.all(larger);
    assert(results.length === 10 && server.log().match(/\n/g)!.length <= 2);
  });

  Deno.test(`results that are not read make room after a second, on ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    await askDeep(server);
    using results = await holdResults(server, 16);
    // Within the grace of a second: some room, or a refusal that says when to retry.
    await Promise.all([askDeep(server), askDeep(server), askDeep(server)]);
    await delay(1_100);
    assertEquals(await askDeep(server), 200);
    const sizes = await Promise.all(results.map(readRest));
    const whole = sizes.filter((bytes) => bytes > DEEP_RESULT.length).length;
    assert(whole <= 8, `${whole} results of 8 MiB were held`);
  });

  Deno.test(`calls whose clients have gone delay no tool call, on ${where}`, async () => {
    await using server = await startServer({}, { isParallel });
    await assertSmallAnswered(server);
    using large = await RawConnection.open(server);
    using tool = await RawConnection.open(server);
    {
      using abandoned = await openMany(server, 60);
      const call = JSON.stringify(toolCall("processJson", DEEP));
      for (const each of abandoned) await each.send(post("/mcp", call));
      await delay(50);
    }
    let isAnswered = false;
    const answer = (async () => {
      await tool.send(SMALL["/mcp"]);
      assertEquals((await tool.receive()).status, 200);
      isAnswered = true;
    })();
    let count = 0;
    for (; !isAnswered; count += 1) {
      await large.send(post("/api/json", LARGE_BODIES["/api/json"]));
      assertEquals((await large.receive()).status, 200);
    }
    await answer;
    assert(count < 4, `after ${count} large requests, one after the other`);
  });

  testOnPosix(
    `the service survives without file descriptors, on ${where}`,
    async () => {
      const options = { isParallel, maxFiles: 64 };
      await using server = await startServer({}, options);
      {
        using early = await openMany(server, 4);
        for (const each of early) await each.send(SMALL["/api/hash"]);
        for (const each of early) await each.receive();
        const held: RawConnection[] = [];
        for (let i = 0; i < 200; i += 1) {
          const connection = await RawConnection.open(server).catch(() => {});
          if (connection) held.push(connection);
        }
        using _ = { [Symbol.dispose]: () => held.forEach(close) };
        await delay(300);
        // The first tool call comes now: it is answered, or its client learns why not.
        for (const each of early) await each.send(SMALL["/mcp"]);
        await Promise.race([
          Promise.allSettled(early.map((e) => e.receive())),
          delay(1_000),
        ]);
      }
      await Promise.race([
        server.status.then(() => assertEquals(server.log(), "", "it has died")),
        assertReachable(server),
      ]);
      await assertSmallAnswered(server);
    },
  );
}

function close(connection: RawConnection): void {
  connection[Symbol.dispose]();
}

/** Waits until a server accepts connections again. */
async function assertReachable(server: ServerProcess): Promise<void> {
  for (;;) {
    const isReachable = await fetch(`${server.origin}/healthz`)
      .then((response) => response.json(), () => undefined);
    if (isReachable !== undefined) return;
    await delay(50);
  }
}

Deno.test("streaming clients in other languages get their answer", async (t) => {
  await using server = await startServer();
  for (const [name, [command, ...args]] of Object.entries(CLIENTS)) {
    const isInstalled = await new Deno.Command(command, {
      args: ["--version"],
      stdout: "null",
    }).output().then(({ success }) => success, () => false);
    await t.step({
      name: isInstalled ? name : `${name} (not installed)`,
      ignore: !isInstalled,
      async fn() {
        for (const length of [2_000, 40_000, 131_073, 1_048_576]) {
          const { path, bytes, expected } = createExchange(0, length);
          const child = new Deno.Command(command, {
            args: [...args, server.origin + path],
            stdin: "piped",
            stdout: "piped",
          }).spawn();
          const writing = new Blob([bytes]).stream().pipeTo(child.stdin);
          const { stdout } = await child.output();
          await writing;
          assertEquals(
            JSON.parse(new TextDecoder().decode(stdout)),
            expected,
            `${length} bytes`,
          );
        }
      },
    });
  }
});

/** Sends a body so many KiB a second by the clock, until it is sent or answered. */
async function sendSlowly(
  connection: RawConnection,
  { path, bytes }: { path: string; bytes: Uint8Array },
  { speed, isChunked }: { speed: number; isChunked: boolean },
) {
  const answer = connection.receive();
  let isAnswered = false;
  answer.then(() => isAnswered = true, () => isAnswered = true);
  const { byteLength } = bytes;
  await connection.send(postHead(path, isChunked ? undefined : byteLength));
  const start = performance.now();
  for (let sent = 0; sent < byteLength && !isAnswered; sent += 4_096) {
    const piece = bytes.subarray(sent, sent + 4_096);
    if (isChunked) await connection.send(`${piece.length.toString(16)}\r\n`);
    await connection.send(piece);
    if (isChunked) await connection.send("\r\n");
    const due = start + (sent + 4_096) / (speed * 1.024);
    await delay(Math.max(0, due - performance.now()));
  }
  if (isChunked && !isAnswered) await connection.send("0\r\n\r\n");
  return await answer;
}

Deno.test("a body may take longer than BODY_TIMEOUT_MS at 64 KiB/s or more, and not below", async (t) => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "500" });
  const steps = [];
  // The first operation is a hash, the third a tool call.
  for (const index of [0, 2]) {
    for (const isChunked of [false, true]) {
      for (const speed of [80, 30]) {
        const exchange = createExchange(index, 163_840);
        steps.push(t.step({
          name: `${exchange.path}, ${
            isChunked ? "chunked" : "with a length"
          }, ${speed} KiB/s`,
          sanitizeOps: false,
          sanitizeResources: false,
          sanitizeExit: false,
          async fn() {
            using connection = await RawConnection.open(server);
            const form = { speed, isChunked };
            const answer = await sendSlowly(connection, exchange, form);
            assertEquals(answer.status, speed > 64 ? 200 : 408, answer.body);
            if (speed > 64) {
              assertEquals(JSON.parse(answer.body), exchange.expected);
            }
          },
        }));
      }
    }
  }
  await Promise.all(steps);
});

Deno.test("a body that stalls after a quick start gets 408", async () => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "300" });
  using connection = await RawConnection.open(server);
  await connection.send(postHead("/api/hash", 200_000) + " ".repeat(50_000));
  assertEquals((await connection.receive()).status, 408);
});

Deno.test("a client that reads 80 KiB/s gets its whole result, however full the budget is", async () => {
  await using server = await startServer();
  using reader = await Http2Client.open(server.port, { windowBytes: 65_535 });
  const input = "[".repeat(380) + "]".repeat(380);
  const expected = JSON.stringify({
    result: JSON.stringify(JSON.parse(input), null, 2),
    valid: true,
  });
  const body = JSON.stringify({ action: "format", input });
  await reader.send(...reader.request("/api/json", { body }));
  let received = 0;
  let isOver = false;
  const reading = reader.receive(({ type, length, isEnd }) => {
    if (type === FRAME.data) received += length;
    isOver = isEnd || type === FRAME.resetStream;
    return isOver;
  });
  using results = await holdResults(server, 10);
  const start = performance.now();
  for (let opened = 0, asked = 0; !isOver;) {
    const seconds = (performance.now() - start) / 1_000;
    const more = Math.floor(seconds * 80 * 1_024) - opened;
    opened += more;
    if (more > 0) await reader.send(...reader.openWindow(more));
    if (asked * 0.4 < seconds) {
      asked += 1;
      await askDeep(server);
    }
    await delay(50);
  }
  await reading;
  assertEquals(received, expected.length);
  assertEquals(results.length, 10);
});

Deno.test("large requests progress while small ones come without a pause", async () => {
  await using server = await startServer();
  using large = await RawConnection.open(server);
  using small = await openMany(server, 4);
  let isOver = false;
  const asking = small.map(async (connection) => {
    while (!isOver) {
      await connection.send(SMALL["/api/hash"]);
      assertEquals((await connection.receive()).status, 200);
    }
  });
  for (let i = 0; i < 3; i += 1) {
    await large.send(post("/api/json", LARGE_BODIES["/api/json"]));
    assertEquals((await large.receive()).status, 200);
  }
  isOver = true;
  await Promise.all(asking);
});

Deno.test("a body in very many tiny chunks is refused, and harms no other client", async (t) => {
  await using server = await startServer();
  const rows = [
    ["a million of 1 byte", 1_000_000, 1, 400],
    ["16,500 of 15 bytes", 16_500, 15, 400],
    ["16,384 of 1 byte", 16_384, 1, 200],
    ["16,384 of 16 bytes", 16_384, 16, 200],
    ["60,000 of 17 bytes", 60_000, 17, 200],
  ] as const;
  for (const [name, count, size, status] of rows) {
    await t.step(name, async () => {
      using connection = await RawConnection.open(server);
      const body = HASH_A.padEnd(count * size).slice(0, count * size);
      const chunks = Array.from(
        { length: count },
        (_, i) => chunk(body.slice(i * size, (i + 1) * size)),
      );
      const bytes = new TextEncoder().encode(
        postHead("/api/hash") + chunks.join("") + "0\r\n\r\n",
      );
      const sending = ignoreClosed(connection.send(bytes));
      const answer = await connection.receive();
      assertEquals(answer.status, status, answer.body);
      if (status === 400) assertMatch(answer.body, /chunk/);
      else assert(answer.body.includes(DIGEST_A));
      // What is left to be drained stops no client for long: a failure to answer at all.
      const guard = delay(5_000).then(() =>
        Promise.reject(new Error("stopped"))
      );
      await Promise.race([assertSmallAnswered(server), guard]);
      await sending;
    });
  }
});

/** Milliseconds that ten requests take, one after the other. */
async function timeTen(server: ServerProcess, body: string): Promise<number> {
  using connection = await RawConnection.open(server);
  const start = performance.now();
  for (let i = 0; i < 10; i += 1) {
    await connection.send(post("/api/hash", body));
    assertEquals((await connection.receive()).status, 400);
  }
  return performance.now() - start;
}

Deno.test("strings that collide in the engine's table take no longer than others", async () => {
  await using server = await startServer();
  // Numbers of up to nine digits; multiples of a power of two fall on one place.
  const list = (step: number) =>
    JSON.stringify({
      strings: Array.from({ length: 10_000 }, (_, i) => String((i + 1) * step)),
    });
  const ordinary = await timeTen(server, list(65_537));
  const colliding = await timeTen(server, list(65_536));
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

Deno.test("a line of the request log has a bounded length and no character that moves others", async () => {
  await using server = await startServer({ LOG_REQUESTS: "1" });
  const before = server.log().length;
  using connection = await RawConnection.open(server);
  // U+009B, U+202E and U+2028 in UTF-8, as they are and escaped.
  const requests = [
    "GET /\xc2\x9b\xe2\x80\xae\xe2\x80\xa8 HTTP/1.1",
    "GET /%C2%9B%E2%80%AE%E2%80%A8 HTTP/1.1",
    `GET /${"a".repeat(50_000)} HTTP/1.1`,
    `${"M".repeat(50_000)} / HTTP/1.1`,
  ];
  for (const request of requests) {
    await connection.send(`${request}\r\nHost: h\r\n\r\n`);
    await connection.receive();
  }
  const lines = () => server.log().slice(before).trimEnd().split("\n");
  while (lines().length < requests.length) await delay(5);
  for (const line of lines()) {
    assertMatch(line, /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u);
    assert(line.length <= 500, `${line.length} characters`);
  }
});
