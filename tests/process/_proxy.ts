/** Starts the service behind a proxy that is configured as in docs/deploy/, and what each promises. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { checkAnswer } from "../_client.ts";
import { readCalls } from "../_docs.ts";
import {
  exchange,
  guard,
  RawConnection,
  type ServerProcess,
  startOnFreePort,
  startServer,
} from "../_server.ts";
import { fetchWithin, waitFor, within } from "../_within.ts";
import {
  DEEP,
  DEEP_RESULT,
  DIGEST,
  HASH,
  post,
  postHead,
  toChunk,
} from "../guarantees/_exchanges.ts";

/** A running proxy, and the service behind it; disposal ends both. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Such as `http://127.0.0.1:40000`. */
  readonly origin: string;
  readonly service: ServerProcess;
}

/** How a proxy is started. */
export interface ProxyOptions {
  /** The command, which runs in a folder of its own. */
  readonly command: readonly string[];
  /** The files in that folder, by their names. */
  readonly files: (ports: Ports) => Readonly<Record<string, string>>;
  /** Settings of the service. */
  readonly variables: Record<string, string>;
}

/** Ports of the loopback interface. */
export interface Ports {
  readonly proxy: number;
  readonly service: number;
}

/** Replaces parts of a configuration, each of which it must have once. */
export function adapt(
  text: string,
  replacements: Readonly<Record<string, string>>,
): string {
  for (const [part, replacement] of Object.entries(replacements)) {
    assertEquals(text.split(part).length, 2, `the configuration has: ${part}`);
    text = text.replace(part, () => replacement);
  }
  return text;
}

/** Divides every time in a configuration, such as ` 10s`, by a number. */
export function shortenTimes(text: string, divisor: number): string {
  return text.replace(
    / (\d+)s\b/g,
    (_, seconds) => ` ${Number(seconds) * 1000 / divisor}ms`,
  );
}

/** Starts the service, and a proxy before it. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(
    await startServer({ LOG_REQUESTS: "1", ...options.variables }),
  );
  const port = await startOnFreePort(async (port) => {
    stack.use(await runProxy(options, { port, service }));
    return port;
  });
  const disposal = stack.move();
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    service,
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

/** Starts a proxy, and waits until it passes requests to the service; disposal ends it. */
async function runProxy(
  { command: [command, ...args], files }: ProxyOptions,
  { port, service }: { port: number; service: ServerProcess },
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  await Deno.mkdir("tests/.generated", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const ports = { proxy: port, service: service.port };
  for (const [name, text] of Object.entries(files(ports))) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const child = new Deno.Command(command!, {
    args,
    cwd: folder,
    env: { HOME: ".", XDG_CONFIG_HOME: ".", XDG_DATA_HOME: "." },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const log = new Response(child.stderr).text();
  let hasEnded = false;
  const ended = log.then(() => hasEnded = true);
  stack.use(guard(child.pid));
  stack.defer(async () => {
    if (!hasEnded) child.kill("SIGKILL");
    await ended;
    await child.status;
  });
  await waitFor(async () => {
    if (hasEnded) throw new Error(`the proxy ended: ${await log}`);
    // A proxy serves at its root, or under /tools/.
    for (const path of ["/started", "/tools/started"]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
      await exchange({ port }, request).catch(() => {});
    }
    // Another process may have taken the port, and answer there.
    return service.log().includes('"/started"');
  });
  return stack.move();
}

/**
 * Waits for what a proxy does after a time-out. The deadline is far above the time-outs of
 * the shortened configuration, and below those that a proxy has by default.
 */
export function soon<Value>(waiting: Promise<Value>): Promise<Value> {
  return within(waiting, "the proxy's time-out", { limitMs: 20_000 });
}

/** Asserts that the proxy closes a connection. */
export async function assertClosed(connection: RawConnection): Promise<void> {
  assertEquals(await soon(connection.isClosed()), true);
}

/** Asserts that a response is an error of the proxy itself, in the form of the service's errors. */
export async function assertProxyError(
  { status, head, body }: { status: number; head: string; body: string },
  expected: { readonly status: number; readonly error: string },
): Promise<void> {
  const lines = head.split("\r\n").slice(1).map((line) => line.split(": "));
  const headers = new Headers(lines as [string, string][]);
  const answer = await checkAnswer(new Response(body, { status, headers }));
  const { error } = expected;
  assertEquals([answer.status, answer.body], [expected.status, { error }]);
  assert(body.endsWith("}\n"), "a body ends in a line feed");
  const isTemporary = status === 429 || status === 503;
  const [retryAfter, exposed] = isTemporary
    ? ["1", "Retry-After"]
    : [null, null];
  assertEquals(headers.get("retry-after"), retryAfter);
  assertEquals(headers.get("access-control-expose-headers"), exposed);
}

/** The error of a proxy that gets no response from the service. */
export const UNREACHABLE = {
  status: 503,
  error: "the service cannot be reached, please try again",
};

/** Stops the service, and asserts that its own 503 passes the proxy meanwhile. */
export async function stopService({ origin, service }: Proxy): Promise<void> {
  service.kill("SIGTERM");
  await waitFor(async () => {
    const response = await fetchWithin(`${origin}/healthz`);
    const { error } = await response.json();
    if (response.status === 200) return false;
    assertEquals(response.status, 503);
    assertEquals(error, "the service is shutting down");
    return true;
  });
}

interface Call extends RequestInit {
  readonly headers?: Record<string, string>;
}

/** Requests to which the response is the same each time. */
const REQUESTS: readonly (readonly [
  path: string,
  init: Call,
  status: number,
])[] = [
  ["/healthz", {}, 200],
  ["/healthz", { method: "HEAD" }, 200],
  ["/", { headers: { "accept-encoding": "gzip" } }, 200],
  ["/openapi.json", { method: "HEAD" }, 200],
  ["/api/hash", { method: "POST", body: JSON.stringify(HASH) }, 200],
  ["/mcp", {
    method: "POST",
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  }, 200],
  ["/api/hash", {
    method: "OPTIONS",
    headers: {
      origin: "https://a.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type, x-a",
    },
  }, 204],
  ["/api/uuid?count=a%20b", {}, 400],
  ["/api/none", {}, 404],
  ["/%ff//a", {}, 404],
  ["/api/hash", {}, 405],
  ["/api/uuid", { method: "PUT", body: "{}" }, 405],
  ["/api/hash", {
    method: "POST",
    headers: { "content-encoding": "br" },
    body: "{}",
  }, 415],
  ["/api/hash", {
    method: "POST",
    body: '{"algorithm":"md5","input":""}',
  }, 501],
];

/** Headers of a connection, and those that differ in each response. */
const OTHER_HEADERS = [
  "connection",
  "date",
  "keep-alive",
  "server",
  "x-request-id",
];

/** Returns what matters of a response, to compare it. */
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

/** A text whose request for a hash has exactly 1 MiB. */
const LONGEST_INPUT = "a".repeat(
  1_048_576 - '{"algorithm":"sha256","input":""}'.length,
);
const LARGEST = JSON.stringify({ algorithm: "sha256", input: LONGEST_INPUT });

/** Asserts that a result of 8 MiB passes whole, compressed if the client asks for it. */
export async function testLargeResult(proxy: Proxy): Promise<void> {
  const request = post("/api/json", DEEP);
  const plain = await exchange(proxy, request);
  assert(!/^content-encoding:/im.test(plain.head));
  assertEquals(JSON.parse(plain.body).result.length, DEEP_RESULT.length);
  assert(JSON.parse(plain.body).result === DEEP_RESULT);
  // Via is the header of another proxy before this one.
  const asking = "HTTP/1.1\r\nVia: 1.1 cdn\r\nAccept-Encoding: gzip\r\n";
  const { head, body } = await exchange(
    proxy,
    request.replace("HTTP/1.1\r\n", asking),
  );
  assert(/^content-encoding: gzip$/im.test(head), head);
  const text = gunzipSync(Buffer.from(body, "latin1")).toString();
  assert(JSON.parse(text).result === DEEP_RESULT);
}

/** A configuration as docs/operations.md changes it. */
export async function readRecipe(
  language: "caddyfile" | "nginx",
): Promise<{ block: string; rows: [string, string][] }> {
  const page = await Deno.readTextFile("docs/operations.md");
  const start = page.indexOf("### Under a path");
  const section = page.slice(start, page.indexOf("### Without a proxy"));
  const block = section.split(`\`\`\`${language}\n`)[1]!.split("```")[0]!;
  const rows = [...section.matchAll(/^\| `(.+?)` +\| `(.+?)` +\|$/gm)]
    .map(([, from, to]) => [from!, to!] as [string, string]);
  return { block, rows };
}

/** Asserts that the service answers under `/tools/`, and its page finds its files there. */
export async function testPath({ origin }: Proxy): Promise<void> {
  const redirect = await fetchWithin(`${origin}/tools`, { redirect: "manual" });
  await redirect.body?.cancel();
  assert([301, 302, 308].includes(redirect.status), `${redirect.status}`);
  assertEquals(
    new URL(redirect.headers.get("location")!, origin).pathname,
    "/tools/",
  );
  const page = await (await fetchWithin(`${origin}/tools/`)).text();
  const [, script] = /<script[^>]+src="([^"]+)"/.exec(page)!;
  for (
    const path of [script!, "api/uuid", "healthz", "openapi.json", "mcp"]
  ) {
    const url = new URL(path, `${origin}/tools/`);
    assert(url.pathname.startsWith("/tools/"), url.pathname);
    const response = await fetchWithin(url);
    await response.body?.cancel();
    assertEquals([path, response.status], [path, path === "mcp" ? 405 : 200]);
  }
  const body = JSON.stringify(HASH);
  const hash = await fetchWithin(`${origin}/tools/api/hash`, {
    method: "POST",
    body,
  });
  assertEquals((await hash.json()).result, DIGEST);
  const large = await exchange(
    { port: Number(new URL(origin).port) },
    postHead("/tools/api/hash", 1_048_577),
  );
  await assertProxyError(large, {
    status: 413,
    error: "the body must be at most 1 MiB",
  });
}

/** The promises of both proxies, in steps that can run at the same time. */
export function createCommonSteps(
  proxy: Proxy,
): Record<string, () => Promise<void>> {
  const { origin, service } = proxy;
  return {
    async "responses of the service pass unchanged, errors, HEAD and preflight included"() {
      for (const [path, init, status] of REQUESTS) {
        const direct = await describe(`${service.origin}${path}`, init);
        const proxied = await describe(`${origin}${path}`, init);
        assertEquals(proxied, direct);
        assertEquals([path, proxied], [path, { ...proxied, status }]);
      }
    },

    async "a document that the client knows by its ETag is not sent again"() {
      const first = await fetchWithin(`${origin}/openapi.json`);
      await first.body?.cancel();
      const headers = { "if-none-match": first.headers.get("etag")! };
      const again = await fetchWithin(`${origin}/openapi.json`, { headers });
      await again.body?.cancel();
      assertEquals(again.status, 304);
    },

    async "the calls of /docs name the address of the proxy"() {
      const page = await fetchWithin(`${origin}/docs`);
      const calls = readCalls(await page.text());
      assert(calls.length > 0);
      for (const { command } of calls) {
        assertStringIncludes(command, `curl "${origin}/`);
      }
    },

    async "a POST that asks to upgrade to HTTP/2 is answered"() {
      const head = postHead("/api/hash", JSON.stringify(HASH).length);
      const upgrade = "Connection: Upgrade, HTTP2-Settings\r\n" +
        "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n";
      const request = head.slice(0, -2) + upgrade + JSON.stringify(HASH);
      const { status, body } = await exchange(proxy, request);
      assertEquals([status, JSON.parse(body).result], [200, DIGEST]);
    },

    async "a body of 1 MiB passes whole, with its length and in chunks"() {
      const result = createHash("sha256").update(LONGEST_INPUT).digest("hex");
      for (
        const request of [
          postHead("/api/hash", LARGEST.length) + LARGEST,
          `${postHead("/api/hash")}${toChunk(LARGEST)}${toChunk("")}`,
        ]
      ) {
        const { body } = await exchange(proxy, request);
        assertEquals(JSON.parse(body), { result, algorithm: "sha256" });
      }
    },

    async "a larger body gets 413, with its length and in chunks"() {
      for (
        const request of [
          postHead("/api/hash", 1_048_577),
          `${postHead("/api/hash")}${toChunk(`${LARGEST} `)}${toChunk("")}`,
        ]
      ) {
        await assertProxyError(await exchange(proxy, request), {
          status: 413,
          error: "the body must be at most 1 MiB",
        });
      }
    },

    async "half a request head is cut off"() {
      for (const head of ["", "GET / HTTP/1.1\r\nHost: h\r\n"]) {
        using connection = await RawConnection.open(proxy);
        await connection.send(head);
        await assertClosed(connection);
      }
    },
  };
}
