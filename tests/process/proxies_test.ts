/** Guarantees of docs/operations.md for nginx and Caddy with the files in docs/deploy/. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readCalls } from "../_docs.ts";
import { exchange, RawConnection, runTogether } from "../_server.ts";
import { fetchStatus, fetchWithin, waitFor } from "../_within.ts";
import {
  DEEP,
  DEEP_RESULT,
  DIGEST,
  HASH,
  post,
  postHead,
  toChunk,
} from "../guarantees/_exchanges.ts";
import {
  assertProxyError,
  type Proxy,
  startCaddy,
  startNginx,
  testProxy,
  UNREACHABLE,
} from "./_proxy.ts";

interface Call extends RequestInit {
  readonly headers?: Record<string, string>;
}

/** Requests whose responses are always the same. */
const REQUESTS: readonly (readonly [
  path: string,
  init: Call,
  status: number,
])[] = [
  ["/", { headers: { "accept-encoding": "gzip" } }, 200],
  ["/openapi.json", { method: "HEAD" }, 200],
  ["/mcp", { method: "POST", body: "{}" }, 400],
  ["/api/hash", {
    method: "OPTIONS",
    headers: {
      origin: "https://a.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type, x-a",
    },
  }, 204],
  ["/api/uuid?count=a%20b", {}, 400],
  ["/%ff//a", {}, 404],
  ["/api/uuid", { method: "PUT", body: "{}" }, 405],
  ["/api/hash", { method: "POST", body: '{"algorithm":"md5"}' }, 501],
];

/** Headers of a connection, and headers that differ in each response. */
const OTHER_HEADERS = [
  "connection",
  "date",
  "keep-alive",
  "server",
  "x-request-id",
];

/** Returns the parts of a response that are compared. */
async function describe(url: string, init: Call): Promise<object> {
  const sent = { "accept-encoding": "identity", ...init.headers };
  const response = await fetchWithin(url, { ...init, headers: sent });
  const headers = new Headers(response.headers);
  for (const name of OTHER_HEADERS) headers.delete(name);
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  };
}

/** An input whose request for a hash has exactly 1 MiB. */
const LONGEST_INPUT = "a".repeat(
  1_048_576 - '{"algorithm":"sha256","input":""}'.length,
);
const LARGEST = JSON.stringify({ algorithm: "sha256", input: LONGEST_INPUT });

const TOO_LARGE = { status: 413, error: "the body must be at most 1 MiB" };

/** The promises of both proxies, in steps that can run at the same time. */
function createCommonSteps(
  proxy: Proxy,
): Record<string, () => Promise<void>> {
  const { origin, service } = proxy;
  return {
    async "responses pass unchanged, including errors, HEAD, and preflight"() {
      for (const [path, init, status] of REQUESTS) {
        const direct = await describe(`${service.origin}${path}`, init);
        const proxied = await describe(`${origin}${path}`, init);
        assertEquals(proxied, direct);
        assertEquals([path, proxied], [path, { ...proxied, status }]);
      }
    },

    async "a document that the client has is not sent again"() {
      const headers = { "if-none-match": "*" };
      const url = `${origin}/openapi.json`;
      assertEquals(await fetchStatus(url, { headers }), 304);
    },

    async "the calls of /docs name the URL of the proxy"() {
      const page = await fetchWithin(`${origin}/docs`);
      const calls = readCalls(await page.text());
      assert(calls.length > 0);
      for (const { command } of calls) {
        assertStringIncludes(command, `curl "${origin}/`);
      }
    },

    async "a POST that asks to upgrade to HTTP/2 succeeds"() {
      const head = postHead("/api/hash", JSON.stringify(HASH).length);
      const upgrade = "Connection: Upgrade, HTTP2-Settings\r\n" +
        "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n";
      const request = head.slice(0, -2) + upgrade + JSON.stringify(HASH);
      const { status, body } = await exchange(proxy, request);
      assertEquals([status, JSON.parse(body).result], [200, DIGEST]);
    },

    async "a body of 1 MiB passes, and a larger one gets 413, with a length and in chunks"() {
      const result = createHash("sha256").update(LONGEST_INPUT).digest("hex");
      const chunked = (body: string) =>
        postHead("/api/hash") + toChunk(body) + toChunk("");
      const withLength = postHead("/api/hash", LARGEST.length) + LARGEST;
      for (const request of [withLength, chunked(LARGEST)]) {
        const { body } = await exchange(proxy, request);
        assertEquals(JSON.parse(body), { result, algorithm: "sha256" });
      }
      const tooLong = postHead("/api/hash", 1_048_577);
      for (const request of [tooLong, chunked(`${LARGEST} `)]) {
        await assertProxyError(await exchange(proxy, request), TOO_LARGE);
      }
    },

    async "a result of 8 MiB passes, compressed if the client asks for it"() {
      const request = post("/api/json", DEEP);
      const plain = await exchange(proxy, request);
      assert(!/^content-encoding:/im.test(plain.head));
      assert(JSON.parse(plain.body).result === DEEP_RESULT);
      // Another proxy in front of this one sends Via.
      const asking = "HTTP/1.1\r\nVia: 1.1 cdn\r\nAccept-Encoding: gzip\r\n";
      const { head, body } = await exchange(
        proxy,
        request.replace("HTTP/1.1\r\n", asking),
      );
      assert(/^content-encoding: gzip$/im.test(head), head);
      const text = gunzipSync(Buffer.from(body, "latin1")).toString();
      assert(JSON.parse(text).result === DEEP_RESULT);
    },
  };
}

/** Shuts down the service. Its own 503 passes the proxy, which then sends another. */
async function shutDown({ port, origin, service }: Proxy): Promise<void> {
  service.kill("SIGTERM");
  await waitFor(async () => {
    const response = await fetchWithin(`${origin}/healthz`);
    const { error } = await response.json();
    if (response.status === 200) return false;
    assertEquals(error, "the service is shutting down");
    return true;
  });
  await service.status;
  await assertProxyError(await exchange({ port }, get("/")), UNREACHABLE);
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
}

/** Requests that nginx itself rejects. */
const REJECTED: readonly (readonly [
  request: string,
  status: number,
  error: string,
])[] = [
  ["GET\r\n\r\n", 400, "the request is not valid HTTP"],
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
    "GET / HTTP/3.0\r\nHost: h\r\n\r\n",
    505,
    "the HTTP version is not supported",
  ],
];

await testProxy("nginx", "passes what the service sends", async (t) => {
  await using nginx = await startNginx();
  await runTogether(t, {
    ...createCommonSteps(nginx),

    async "requests that nginx rejects get errors as JSON with CORS"() {
      for (const [request, status, error] of REJECTED) {
        const response = await exchange(nginx, request);
        await assertProxyError(response, { status, error });
      }
    },

    async "the calls of /docs have the scheme that another proxy in front reports"() {
      const headers = { "x-forwarded-proto": "https, http" };
      const page = await fetchWithin(`${nginx.origin}/docs`, { headers });
      const [call] = readCalls(await page.text());
      const origin = nginx.origin.replace("http:", "https:");
      assertStringIncludes(call!.command, `curl "${origin}/`);
    },
  });
  await t.step("a result that is not read outlives the service", async () => {
    using slow = await RawConnection.open(nginx);
    await slow.send(post("/api/json", DEEP));
    // The first part of the response has arrived.
    assertEquals(await slow.isClosed(), false);
    await shutDown(nginx);
    const { body } = await slow.receive();
    assert(JSON.parse(body).result === DEEP_RESULT);
  });
});

await testProxy("Caddy", "passes what the service sends", async (t) => {
  await using caddy = await startCaddy();
  await runTogether(t, {
    ...createCommonSteps(caddy),

    async "request headers of more than 64 KB get 431"() {
      const fields = `X: ${"x".repeat(9_000)}\r\n`.repeat(8);
      const request = `GET / HTTP/1.1\r\nHost: h\r\n${fields}\r\n`;
      assertEquals((await exchange(caddy, request)).status, 431);
    },
  });
  await t.step("the 503 of a shutdown passes", () => shutDown(caddy));
});

/** So slow that nginx lets no request through because of the time that passes in a test. */
const SLOW_RATE = { "rate=20r/s": "rate=1r/m" };

/** Number of requests that nginx accepts at the slow rate: one, and a burst of 40. */
const BURST = 41;

const TOO_MANY = {
  status: 429,
  error:
    "at most 20 requests per second (40 more in a burst) and 50 connections are allowed per IP address, please try again",
};

/**
 * Sends 60 requests for a path, one at a time, each from the next of the IP addresses, and
 * returns the number of rejected ones.
 */
async function countRejected(
  { port }: Proxy,
  path: string,
  addresses: readonly string[] = ["192.0.2.1"],
): Promise<number> {
  using connection = await RawConnection.open({ port });
  let rejected = 0;
  for (let i = 0; i < 60; i += 1) {
    const address = addresses[i % addresses.length];
    const field = `X-Forwarded-For: ${address}\r\n`;
    await connection.send(`GET ${path} HTTP/1.1\r\nHost: h\r\n${field}\r\n`);
    const response = await connection.receive();
    if (response.status !== 429) continue;
    await assertProxyError(response, TOO_MANY);
    rejected += 1;
  }
  return rejected;
}

await testProxy(
  "nginx",
  "rejects more than a burst of 41 requests, together for all operations, but not for the page",
  async () => {
    await using nginx = await startNginx({ changes: SLOW_RATE });
    assertEquals(await countRejected(nginx, "/"), 0);
    assertEquals(await countRejected(nginx, "/api/uuid"), 60 - BURST);
    assertEquals(await countRejected(nginx, "/mcp"), 60);
    assertEquals(await countRejected(nginx, "/"), 0);
  },
);

await testProxy(
  "nginx",
  "accepts 50 connections of an address with pending requests",
  async () => {
    await using nginx = await startNginx({
      changes: { "burst=40": "burst=100" },
    });
    using scope = new DisposableStack();
    const responses = [];
    nginx.service.kill("SIGSTOP");
    for (let i = 0; i < 53; i += 1) {
      const connection = scope.use(await RawConnection.open(nginx));
      await connection.send(get("/api/uuid"));
      responses.push(connection.receive());
    }
    for (const response of await Promise.all(responses.splice(50))) {
      await assertProxyError(response, TOO_MANY);
    }
    nginx.service.kill("SIGCONT");
    for (const { status } of await Promise.all(responses)) {
      assertEquals(status, 200);
    }
  },
);

/** The changes that docs/operations.md shows: a block of code and the rows of a table. */
async function readRecipe(language: "caddyfile" | "nginx") {
  const page = await Deno.readTextFile("docs/operations.md");
  const start = page.indexOf("### Under a path");
  const section = page.slice(start, page.indexOf("### Without a proxy"));
  const block = section.split(`\`\`\`${language}\n`)[1]!.split("```")[0]!;
  const rows = [...section.matchAll(/^\| `(.+?)` +\| `(.+?)` +\|$/gm)]
    .map(([, from, to]) => [from!, to!] as [string, string]);
  return { block, rows };
}

/** Asserts that the service responds under `/tools/`, and its page finds its files there. */
async function assertServesPath({ origin, port }: Proxy): Promise<void> {
  const page = await fetchWithin(`${origin}/tools`);
  assertEquals(page.url, `${origin}/tools/`);
  const [, script] = /<script[^>]+src="([^"]+)"/.exec(await page.text())!;
  for (const path of [script!, "api/uuid", "openapi.json"]) {
    const url = new URL(path, page.url);
    assertEquals([url.href, await fetchStatus(url)], [url.href, 200]);
  }
  const docs = await (await fetchWithin(`${origin}/tools/docs`)).text();
  const [call] = readCalls(docs);
  assertStringIncludes(call!.command, `curl "${origin}/tools/api/`);
  const large = postHead("/tools/api/hash", 1_048_577);
  await assertProxyError(await exchange({ port }, large), TOO_LARGE);
}

await testProxy("Caddy", "serves under a path as documented", async () => {
  const { block } = await readRecipe("caddyfile");
  await using caddy = await startCaddy({
    changes: { "\timport devutils\n": block },
  });
  await assertServesPath(caddy);
});

await testProxy(
  "nginx",
  "serves under a path as documented, with its limits",
  async () => {
    const { rows } = await readRecipe("nginx");
    assertEquals(rows.length, 3);
    const changes = { ...Object.fromEntries(rows), ...SLOW_RATE };
    await using nginx = await startNginx({ changes });
    await assertServesPath(nginx);
    const rejected = await countRejected(nginx, "/tools/api/uuid");
    assert(rejected >= 60 - BURST, `${rejected} of 60 are rejected`);
    assertEquals(await countRejected(nginx, "/tools/"), 0);
  },
);

await testProxy(
  "nginx",
  "behind a second proxy limits each client, and each network of IPv6 as one",
  async () => {
    const { block } = await readRecipe("nginx");
    const proxy = block.replace("192.0.2.0/24", "127.0.0.1");
    assert(proxy !== block);
    const changes = {
      "  listen 8080;": `${proxy}  listen 8080;`,
      ...SLOW_RATE,
    };
    await using nginx = await startNginx({ changes });
    const count = (...addresses: string[]) =>
      countRejected(nginx, "/api/uuid", addresses);
    const createMany = (start: string, end = "") =>
      Array.from({ length: 60 }, (_, i) => `${start}${i + 1}${end}`);
    assertEquals(await count("198.51.100.1"), 60 - BURST);
    assertEquals(await count(...createMany("203.0.113.")), 0);
    const sameNetwork = createMany("2001:db8:0:1:2:3:4:");
    assertEquals(await count(...sameNetwork), 60 - BURST);
    assertEquals(await count(...createMany("2001:db8:1:", "::1")), 0);
  },
);
