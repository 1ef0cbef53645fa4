/** Requests over real sockets, for the tests of guarantees. */

import { type ClientHttp2Stream, connect } from "node:http2";
import { assert, assertEquals } from "@std/assert";
import { RawConnection } from "../_connection.ts";
import { run, type ServerProcess } from "../_server.ts";

/** The request headers of a POST with a `Content-Length`, or in chunks. */
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

/** Small requests of the largest size. */
export const SMALL_REQUEST = post("/api/hash", HASH, 65_536);
export const SMALL_CALL = post("/mcp", toolCall("hashText", HASH), 65_536);

/** A request body and a result of 900 KB. */
const LARGE = { action: "minify", input: `[${"0,".repeat(450_000)}0]` };
export const LARGE_REQUEST = post("/api/json", LARGE);
export const LARGE_CALL = post("/mcp", toolCall("processJson", LARGE));

/** A body of 1 MB with a result just below 8 MiB. */
export const DEEP = {
  action: "format",
  input: `${"[".repeat(2e3)}${"]".repeat(2e3)}`.padEnd(1e6),
};
export const DEEP_RESULT = JSON.stringify(JSON.parse(DEEP.input), null, 2);

/** Fields of a request with a result that is larger than a client receives before it reads. */
export const UNREAD = { action: "minify", input: `[${"0,".repeat(200_000)}0]` };

/** Sends a request and returns the status of its response. */
export async function ask(connection: RawConnection, request: string) {
  await connection.send(request);
  return (await connection.receive()).status;
}

/** Repeats a request until another one gets 200, and returns the number of repetitions. */
export async function countUntil(
  pending: Promise<number>,
  connection: RawConnection,
  request: string,
): Promise<number> {
  let isOver = false;
  pending.finally(() => isOver = true).catch(() => {});
  let count = 0;
  for (; !isOver; count += 1) {
    assertEquals(await ask(connection, request), 200);
    assert(count < 20_000, "the other request gets no response");
  }
  assertEquals(await pending, 200);
  return count;
}

/** Sends small requests and small tool calls. All must succeed. */
export async function assertSmallRequestsSucceed(
  server: ServerProcess,
): Promise<void> {
  using connection = await RawConnection.open(server);
  for (let i = 0; i < 10; i += 1) {
    for (const request of [SMALL_REQUEST, SMALL_CALL]) {
      await connection.send(request);
      const { status, body } = await connection.receive();
      assert(status === 200 && body.includes(DIGEST), `${status} ${body}`);
    }
  }
}

/** Opens connections, which are closed with the server or another scope. */
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
 * Requests a result over HTTP/2, on a separate connection. The service can send 64 KiB until
 * the stream is read.
 */
export function requestResult(
  { origin, scope }: ServerProcess,
  fields: object = DEEP,
): ClientHttp2Stream {
  const session = connect(origin);
  scope.defer(() => session.destroy());
  const stream = session.request({ ":method": "POST", ":path": "/api/json" });
  stream.on("error", () => {}); // The service can interrupt it.
  return stream.end(JSON.stringify(fields));
}

/** Reads a memory figure of the service from `/proc`, such as `VmRSS`, in kB. */
export async function readKilobytes(
  { pid }: ServerProcess,
  name: string,
): Promise<number> {
  const { output } = await run(["cat", `/proc/${pid}/status`]);
  return Number(RegExp(`${name}:\\s+(\\d+) kB`).exec(output)![1]);
}
