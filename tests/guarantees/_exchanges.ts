/** Requests for the guarantees, which are sent over real sockets. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { RawConnection } from "../_connection.ts";
import { FRAME, Http2Client } from "../_http2.ts";
import { toolCall } from "../_matrix.ts";
import type { ServerProcess } from "../_server.ts";

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

export function toChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

export const HASH = { algorithm: "sha1", input: "a" };
export const DIGEST = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8";

/** Almost as long as a request can be to count as small. */
export const SMALL_REQUEST = post("/api/hash", HASH, 32_000);
export const SMALL_CALL = post("/mcp", toolCall("hashText", HASH), 32_000);

/** A body and a result of 900 KB. */
const LARGE = { action: "minify", input: `[${"0,".repeat(450_000)}0]` };
export const LARGE_REQUEST = post("/api/json", LARGE);
export const LARGE_CALL = post("/mcp", toolCall("processJson", LARGE));

/** Large requests that are in progress at a time. */
export const LARGE_COUNT = 48;

/** A body of 4 KB with a result just below 8 MiB. */
export const DEEP = {
  action: "format",
  input: "[".repeat(2e3) + "]".repeat(2e3),
};
export const DEEP_POST = { method: "POST", body: JSON.stringify(DEEP) };
export const DEEP_CALL = post("/mcp", toolCall("processJson", DEEP));
export const DEEP_RESULT = JSON.stringify(JSON.parse(DEEP.input), null, 2);

/** Settings of an HTTP/2 connection on which the service cannot send a result. */
export const UNREAD = { windowBytes: 0 };

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

/** Opens connections; those that are refused are left out. */
export async function openMany(
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
export async function requestResults(
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

/** Asks for a result of 8 MiB, which comes whole, or 503 with `Retry-After`. */
export async function askDeep({ origin }: ServerProcess): Promise<number> {
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

/** Like `requestResults()`, and waits until the responses have begun. */
export async function holdResults(
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
export async function readRest(client: Http2Client): Promise<number> {
  let bytes = 0;
  await client.send(...client.openWindow(2 * DEEP_RESULT.length));
  await client.receive(({ type, length, isEnd }) => {
    if (type === FRAME.data) bytes += length;
    return isEnd || type === FRAME.resetStream;
  }).catch(() => {});
  return bytes;
}
