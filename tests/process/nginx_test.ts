/** The promises of docs/operations.md on nginx with docs/deploy/nginx.conf. */

import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readCalls } from "../_docs.ts";
import {
  exchange,
  RawConnection,
  readVersion,
  runTogether,
} from "../_server.ts";
import { fetchWithin } from "../_within.ts";
import { DEEP, DEEP_RESULT, post, postHead } from "../guarantees/_exchanges.ts";
import {
  adapt,
  assertClosed,
  assertProxyError,
  createCommonSteps,
  type Proxy,
  readRecipe,
  shortenTimes,
  soon,
  startProxy,
  stopService,
  testLargeResult,
  testPath,
  UNREACHABLE,
} from "./_proxy.ts";

const CONFIGURATION = await Deno.readTextFile("docs/deploy/nginx.conf");

/** The configuration that includes the documented file: one process with a folder of its own. */
const MAIN = `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include devutils.conf;
}
`;

/** @param changes Replaces parts of the documented file. */
function startNginx(changes: Record<string, string> = {}): Promise<Proxy> {
  return startProxy({
    command: ["nginx", "-p", ".", "-e", "stderr", "-c", "nginx.conf"],
    files: (ports) => ({
      "nginx.conf": MAIN,
      "devutils.conf": shortenTimes(
        adapt(adapt(CONFIGURATION, changes), {
          // Bytes that a client has not read are in nginx, not in the system's buffers.
          "listen 8080;": `listen 127.0.0.1:${ports.proxy} sndbuf=512k;`,
          "server 127.0.0.1:8000": `server 127.0.0.1:${ports.service}`,
          // Longer than a busy test takes to send a head.
          "client_header_timeout 5s;": "client_header_timeout 1500ms;",
          // Not shortened: the test may be too busy to read for a second.
          "send_timeout 10s;": "send_timeout 10000ms;",
        }),
        10,
      ),
    }),
    variables: {},
  });
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
}

const TOO_MANY = {
  status: 429,
  error:
    "at most 20 requests a second, 40 more in a burst and 50 connections are allowed for an address, please try again",
};

/** Requests that nginx itself refuses. */
const REFUSED: readonly (readonly [
  request: string,
  status: number,
  error: string,
])[] = [
  ["GET\r\n\r\n", 400, "the request is not valid HTTP"],
  [
    get("/%zz"),
    400,
    "the request is not valid HTTP",
  ],
  [get("/nginx-error"), 404, "no such path"],
  ["TRACE / HTTP/1.1\r\nHost: h\r\n\r\n", 405, "the method is not allowed"],
  [
    get(`/${"x".repeat(16_384)}`),
    414,
    "the first line of the request must be at most 16 KiB",
  ],
  [
    `GET / HTTP/1.1\r\nHost: h\r\nX: ${"x".repeat(16_384)}\r\n\r\n`,
    431,
    "a header field must be at most 16 KiB, and all at most 64 KiB",
  ],
  [
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n",
    501,
    "the proxy failed",
  ],
  [
    "GET / HTTP/3.0\r\nHost: h\r\n\r\n",
    505,
    "the HTTP version is not supported",
  ],
];

/** So seldom does nginx let another request pass that none does so during a test. */
const SLOW_RATE = { "rate=20r/s": "rate=1r/m" };

/** Number of requests of an address that pass at the slow rate: one, and a burst of 40. */
const BURST = 41;

/**
 * Sends 60 requests for a path, one after the other, each from another of the addresses, and
 * returns how many are refused.
 */
async function countRefused(
  { port }: Proxy,
  { path, addresses = [] }: { path: string; addresses?: string[] },
): Promise<number> {
  using connection = await RawConnection.open({ port });
  let refused = 0;
  for (let i = 0; i < 60; i += 1) {
    const address = addresses[i % addresses.length];
    const field = address === undefined
      ? ""
      : `X-Forwarded-For: ${address}\r\n`;
    await connection.send(get(path).replace("\r\n\r\n", `\r\n${field}\r\n`));
    const answer = await connection.receive();
    if (answer.status !== 429) continue;
    await assertProxyError(answer, TOO_MANY);
    refused += 1;
  }
  return refused;
}

async function testStop(nginx: Proxy): Promise<void> {
  using slow = await RawConnection.open(nginx);
  await slow.send(post("/api/json", DEEP));
  // The first part of the response has come.
  assertEquals(await slow.isClosed(), false);
  await stopService(nginx);
  await nginx.service.status;
  const { body } = await slow.receive();
  assert(JSON.parse(body).result === DEEP_RESULT);
}

const isInstalled = await readVersion("nginx", "-v") !== "";

Deno.test({
  name: "the configuration for nginx keeps its promises (needs nginx)",
  ignore: !isInstalled,
  async fn(t) {
    await using nginx = await startNginx();
    using idle = await RawConnection.open(nginx);
    await idle.send(get("/healthz"));
    assertEquals((await idle.receive()).status, 200);

    await runTogether(t, {
      ...createCommonSteps(nginx),

      async "requests that nginx refuses get its own errors, as JSON with CORS"() {
        for (const [request, status, error] of REFUSED) {
          const answer = await exchange(nginx, request);
          await assertProxyError(answer, { status, error });
        }
      },

      async "the calls of /docs have the scheme that another proxy in front reports"() {
        const address = nginx.origin.replace("http://", "");
        const rows = [
          ["https", "https"],
          ["https, http", "https"],
          ["http", "http"],
          ["ftp", "http"],
        ] as const;
        for (const [reported, scheme] of rows) {
          const headers = { "x-forwarded-proto": reported };
          const page = await fetchWithin(`${nginx.origin}/docs`, { headers });
          const [call] = readCalls(await page.text());
          assertStringIncludes(call!.command, `curl "${scheme}://${address}/`);
        }
      },

      async "a long first line and header fields within the limits pass"() {
        const path = `/healthz?${"x".repeat(16_000)}`;
        const field = `X: ${"x".repeat(16_000)}\r\n`;
        const head = `GET ${path} HTTP/1.1\r\nHost: h\r\n${field}${field}\r\n`;
        assertEquals((await exchange(nginx, head)).status, 200);
      },

      async "half a body is cut off, and has not reached the service"() {
        using connection = await RawConnection.open(nginx);
        await connection.send(`${postHead("/half-a-body", 100)}{`);
        await assertClosed(connection);
        assert(!nginx.service.log().includes("/half-a-body"));
      },
    });
    await t.step(
      "a result of 8 MiB passes whole, compressed if the client asks for it",
      () => testLargeResult(nginx),
    );
    await t.step("a service that does not answer gives 503", async () => {
      nginx.service.kill("SIGSTOP");
      const answer = await soon(exchange(nginx, get("/api/uuid")));
      await assertProxyError(answer, UNREACHABLE);
      nginx.service.kill("SIGCONT");
    });
    await t.step(
      "a service that stops answers 503 itself, and results that are not read outlive it",
      () => testStop(nginx),
    );
    await t.step("a service that is gone gives 503", async () => {
      await assertProxyError(await exchange(nginx, get("/")), UNREACHABLE);
    });
    await t.step("an idle connection is closed", () => assertClosed(idle));
  },
});

Deno.test({
  name:
    "with nginx, an address may send 41 requests at once, 20 a second, and have 50 unanswered (needs nginx)",
  ignore: !isInstalled,
  async fn() {
    // Not shortened: the first request may wait for as long as the test needs.
    await using nginx = await startNginx({
      "proxy_read_timeout 30s;": "proxy_read_timeout 60000ms;",
    });
    using scope = new DisposableStack();
    const answers = [];
    nginx.service.kill("SIGSTOP");
    for (let i = 0; i < 53; i += 1) {
      // In two seconds, 40 more requests are permitted, nine of which are sent.
      if (i === BURST) await delay(2_000);
      const connection = scope.use(await RawConnection.open(nginx));
      await connection.send(get("/api/uuid"));
      answers.push(connection.receive());
    }
    const passed = Promise.all(answers.splice(0, 50));
    passed.catch(() => {}); // It is awaited below.
    for (const answer of await soon(Promise.all(answers))) {
      await assertProxyError(answer, TOO_MANY);
    }
    nginx.service.kill("SIGCONT");
    for (const { status } of await passed) assertEquals(status, 200);
  },
});

Deno.test({
  name:
    "nginx refuses more than a burst of 41 requests, together for all operations, but not for the page (needs nginx)",
  ignore: !isInstalled,
  async fn() {
    await using nginx = await startNginx(SLOW_RATE);
    assertEquals(await countRefused(nginx, { path: "/" }), 0);
    const count = (path: string) => countRefused(nginx, { path });
    assertEquals(await count("/api/uuid"), 60 - BURST);
    assertEquals(await count("/mcp"), 60);
    assertEquals(await count("/"), 0);
  },
});

Deno.test({
  name:
    "the recipe for nginx serves under a path, with its limits (needs nginx)",
  ignore: !isInstalled,
  async fn() {
    const { rows } = await readRecipe("nginx");
    assertEquals(rows.length, 3);
    const changes = Object.fromEntries(rows);
    await using nginx = await startNginx({ ...changes, ...SLOW_RATE });
    await testPath(nginx);
    const refused = await countRefused(nginx, { path: "/tools/api/uuid" });
    assert(refused >= 60 - BURST, `${refused} of 60 are refused`);
    assertEquals(await countRefused(nginx, { path: "/tools/" }), 0);
  },
});

Deno.test({
  name:
    "behind a second proxy, nginx limits each client, and a network of IPv6 as one (needs nginx)",
  ignore: !isInstalled,
  async fn() {
    const { block } = await readRecipe("nginx");
    const proxy = block.replace("192.0.2.0/24", "127.0.0.1");
    assert(proxy !== block);
    await using nginx = await startNginx({
      "  listen 8080;": `${proxy}  listen 8080;`,
      ...SLOW_RATE,
    });
    const path = "/api/uuid";
    const count = (...addresses: string[]) =>
      countRefused(nginx, { path, addresses });
    assertEquals(await count("198.51.100.1"), 60 - BURST);
    const many = (start: string) =>
      Array.from({ length: 60 }, (_, i) => `${start}${i + 1}`);
    assertEquals(await count(...many("203.0.113.")), 0);
    assertEquals(await count(...many("2001:db8:0:1:2:3:4:")), 60 - BURST);
    assertEquals(await count(...many("2001:db8:1:").map((a) => `${a}::1`)), 0);
  },
});
