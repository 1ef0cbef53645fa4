/** Connections and requests for the attacks of `_attacks.ts`. */

import { RawConnection } from "../tests/_connection.ts";
import { Http2Client, ignoreClosed } from "../tests/_http2.ts";

/** Lower bound of the size of a result of almost 8 MiB. */
export const RESULT_BYTES = 8_300_000;

/** Duration of an attack that does not end by itself, in milliseconds. */
const ATTACK_MS = 8_000;

/** HTTP/2 streams that an attacker opens on one connection. */
const STREAMS_PER_CONNECTION = 200;

/** Runs an attack; may return a remark on its outcome. */
export type Attack = (attacker: Attacker) => Promise<string | void>;

type Bytes = Uint8Array<ArrayBuffer>;

/** Waits for a number of milliseconds. */
export const delay = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const utf8Encoder = new TextEncoder();

/** A GET request; `fields` are further lines of its head. */
export function get(path: string, fields = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: h\r\n${fields}\r\n`;
}

/** A POST request; `length` is its Content-Length, if not that of the body; `fields` are further lines of its head. */
export function post(
  path: string,
  body: string,
  { length = utf8Encoder.encode(body).byteLength, fields = "" } = {},
): Bytes {
  return utf8Encoder.encode(
    `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n${fields}\r\n${body}`,
  );
}

/** A POST request with a chunked body. */
export function postInChunks(chunks: string): Bytes {
  return utf8Encoder.encode(
    `POST /api/hash HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
  );
}

/** The fields of a JSON request whose formatted result has about this size. */
export function nest(resultBytes: number): object {
  // Each level has two lines, indented by two more spaces.
  const depth = Math.floor(Math.sqrt(resultBytes / 2));
  return { action: "format", input: "[".repeat(depth) + "]".repeat(depth) };
}

/** A tool call. */
export function callTool(name: string, args: object): Bytes {
  const params = { name, arguments: args };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return post("/mcp", JSON.stringify(message));
}

/** The connections of an attack. */
export class Attacker implements Disposable {
  readonly port: number;
  readonly #end: number;
  readonly #scope = new DisposableStack();

  constructor(port: number, milliseconds = ATTACK_MS) {
    this.port = port;
    this.#end = performance.now() + milliseconds;
  }

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async untilOver(): Promise<void> {
    await delay(this.#end - performance.now());
  }

  async connect(data: Bytes = new Uint8Array()): Promise<Deno.TcpConn> {
    const { port } = this;
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    this.#scope.use(connection);
    await send(connection, data);
    return connection;
  }

  /** Opens an HTTP/2 connection that reads and discards all data. */
  async connectHttp2(windowBytes: number): Promise<Http2Client> {
    const client = await Http2Client.open(this.port, { windowBytes });
    this.#scope.use(client);
    client.drain();
    return client;
  }

  [Symbol.dispose](): void {
    this.#scope.dispose();
  }
}

/** Sends all bytes; returns false if the server closes the connection earlier. */
export function send(connection: Deno.TcpConn, data: Bytes): Promise<boolean> {
  return ignoreClosed((async () => {
    for (let sent = 0; sent < data.length;) {
      sent += await connection.write(data.subarray(sent));
    }
  })());
}

/** Reads at a limited speed until 8 MB or the end of the attack; returns the number of bytes. */
export async function readSlowly(
  attacker: Attacker,
  connection: Deno.TcpConn,
  { bytes, pauseMs }: { readonly bytes: number; readonly pauseMs: number },
): Promise<number> {
  let total = 0;
  const buffer = new Uint8Array(bytes);
  while (total < RESULT_BYTES && !attacker.isOver) {
    const count = await connection.read(buffer).catch(() => null);
    if (count === null) break;
    total += count;
    await delay(pauseMs * count / bytes);
  }
  return total;
}

/**
 * Runs clients that each repeat a request and read the responses. A function makes a
 * new request each time.
 */
export function repeat(
  clients: number,
  ...requests: readonly (Bytes | (() => Bytes))[]
): Attack {
  return async (attacker) => {
    const counts: Record<number, number> = {};
    async function sendAll(request: Bytes | (() => Bytes)): Promise<void> {
      using connection = await RawConnection.open(attacker);
      while (!attacker.isOver) {
        const bytes = typeof request === "function" ? request() : request;
        const sending = ignoreClosed(connection.send(bytes));
        const { status } = await connection.receive();
        counts[status] = (counts[status] ?? 0) + 1;
        if (!await sending) return;
      }
    }
    await Promise.all(Array.from({ length: clients }, async (_, i) => {
      const request = requests[i % requests.length]!;
      // The server may close a connection after it rejects a request.
      while (!attacker.isOver) await sendAll(request).catch(() => {});
    }));
    return JSON.stringify(counts);
  };
}

/** Opens connections that send the same data and read nothing. */
export function connect(count: number, data?: Bytes): Attack {
  return async (attacker) => {
    for (let i = 0; i < count; i += 1) await attacker.connect(data);
    await attacker.untilOver();
  };
}

/** Opens HTTP/2 streams whose windows are 0. */
export function openStreams(
  path: string,
  options?: Parameters<Http2Client["request"]>[1],
  count = 1_000,
): Attack {
  return async (attacker) => {
    let closed = 0;
    for (let i = 0; i < count; i += STREAMS_PER_CONNECTION) {
      const client = await attacker.connectHttp2(0);
      let isOpen = true;
      for (let j = 0; isOpen && j < STREAMS_PER_CONNECTION; j += 1) {
        isOpen = await client.send(...client.request(path, options));
      }
      if (!isOpen) closed += 1;
    }
    await attacker.untilOver();
    if (closed > 0) return `${closed} connections were closed`;
  };
}
