/** Requests for the guarantees, which are sent over real sockets. */

import { once } from "node:events";
import { type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { RawConnection } from "../_connection.ts";
import type { ServerProcess } from "../_server.ts";
import { fetchWithin, within } from "../_within.ts";

/** The head of a POST with a body of a length, or in chunks. */
export function postHead(path: string, length?: number): string {
  const framing = length === undefined
    ? "Transfer-Encoding: chunked"
    : `Content-Length: ${length}`;
  return `POST ${path} HTTP/1.1\r\nHost: h\r\n${framing}\r\n\r\n`;
}

/** A POST of JSON, padded with spaces to a length. */
export function post(path: string, fields: object, length = 0): string {
  const body = JSON.stringify(fields).padEnd(length);
  return postHead(path, body.length) + body;
}

/** A message that calls a tool. */
export function toolCall(name: string, args: object): object {
  const params = { name, arguments: args };
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params };
}

export function toChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

export const HASH = { algorithm: "sha1", input: "a" };
export const DIGEST = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8";

/** As long as a request can be to count as small. */
export const SMALL_REQUEST = post("/api/hash", HASH, 65_536);
export const SMALL_CALL = post("/mcp", toolCall("hashText", HASH), 65_536);

/** A body and a result of 900 KB. */
const LARGE = { action: "minify", input: `[${"0,".repeat(450_000)}0]` };
export const LARGE_REQUEST = post("/api/json", LARGE);
export const LARGE_CALL = post("/mcp", toolCall("processJson", LARGE));

/** A body of 1 MB with a result just below 8 MiB. */
export const DEEP = {
  action: "format",
  input: `${"[".repeat(2e3)}${"]".repeat(2e3)}`.padEnd(1e6),
};
export const DEEP_RESULT = JSON.stringify(JSON.parse(DEEP.input), null, 2);

/** Sends a request and returns the status of its answer. */
export async function ask(connection: RawConnection, request: string) {
  await connection.send(request);
  return (await connection.receive()).status;
}

/** Repeats a request until another one is answered with 200, and returns the number of repetitions. */
export async function countUntil(
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
export async function assertSmallAnswered(
  server: ServerProcess,
): Promise<void> {
  using connection = await RawConnection.open(server);
  for (let i = 0; i < 20; i += 1) {
    for (const request of [SMALL_REQUEST, SMALL_CALL]) {
      await connection.send(request);
      const { status, body } = await connection.receive();
      assert(status === 200 && body.includes(DIGEST), `${status} ${body}`);
    }
  }
}

/** Opens connections, which are closed with the server, or with another scope. */
export async function openMany(
  server: ServerProcess,
  count: number,
  scope = server.scope,
): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let i = 0; i < count; i += 1) {
    connections.push(scope.use(await RawConnection.open(server)));
  }
  return connections;
}

/**
 * Asks for a result over HTTP/2, on a connection of its own. The service can send 64 KiB of
 * it until the stream is read.
 */
export function requestResult(
  { origin, scope }: ServerProcess,
  fields: object = DEEP,
): ClientHttp2Stream {
  const session = connect(origin);
  scope.defer(() => session.destroy());
  const stream = session.request({ ":method": "POST", ":path": "/api/json" });
  stream.on("error", () => {}); // The service may cut it off.
  return stream.end(JSON.stringify(fields));
}

/** Waits until a response over HTTP/2 has begun. */
export async function waitForResponse(
  stream: ClientHttp2Stream,
): Promise<void> {
  await within(once(stream, "response"), "the beginning of a response");
}

/** Asks for results of 8 MiB, and waits until the responses have begun. */
export async function holdResults(
  server: ServerProcess,
  count: number,
): Promise<ClientHttp2Stream[]> {
  const results = Array.from(
    { length: count },
    () => requestResult(server),
  );
  await Promise.all(results.map(waitForResponse));
  return results;
}

const END = { done: true, value: undefined } as const;

/** Reads a result at a speed in KiB/s, and returns the number of bytes, whole or cut off. */
export async function read(
  result: ClientHttp2Stream,
  getSpeed: () => number = () => Infinity,
): Promise<number> {
  let bytes = 0;
  let due = performance.now();
  const parts: AsyncIterator<Uint8Array> = result[Symbol.asyncIterator]();
  for (;;) {
    // The service may cut it off.
    const next = parts.next().catch(() => END);
    const more = `the rest of a result, after ${bytes} bytes`;
    const { value: part, done } = await within(next, more);
    if (done) return bytes;
    bytes += part.byteLength;
    due += part.byteLength / getSpeed() / 1.024;
    await delay(Math.max(0, due - performance.now()));
  }
}

/** Asks for a result of 8 MiB, which comes whole, or 503 with `Retry-After`. */
export async function askDeep({ origin }: ServerProcess): Promise<number> {
  const init = { method: "POST", body: JSON.stringify(DEEP) };
  const response = await fetchWithin(`${origin}/api/json`, init);
  const answer = await response.json();
  if (response.status === 200) assertEquals(answer.result, DEEP_RESULT);
  else {
    assertEquals(response.status, 503);
    assertEquals(Object.keys(answer), ["error"]);
    assertMatch(response.headers.get("retry-after") ?? "", /^\d+$/);
  }
  return response.status;
}
