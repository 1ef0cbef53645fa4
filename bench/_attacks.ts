/** The attacks that `attacks.ts` makes. */

import {
  encodeFields,
  FLAG,
  FRAME,
  frame,
  Http2Client,
  ignoreClosed,
} from "../tests/_http2.ts";
import { createRecords } from "./_operations.ts";

/** Time that an attack takes, unless it ends by itself, in milliseconds. */
const ATTACK_MS = 8_000;

/** HTTP/2 streams that an attacker opens on one connection. */
const STREAMS_PER_CONNECTION = 200;

/** Makes an attack and returns a remark on its outcome, if there is one. */
export type Attack = (attacker: Attacker) => Promise<string | void>;

type Bytes = Uint8Array<ArrayBuffer>;

const delay = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const utf8Encoder = new TextEncoder();

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
}

/** A request whose body has the given length, by default that of the text. */
function post(path: string, body: string, length = body.length): Bytes {
  return utf8Encoder.encode(
    `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
}

function postInChunks(chunks: string): Bytes {
  return utf8Encoder.encode(
    `POST /api/hash HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
  );
}

/** Fields whose result of nested arrays has about so many bytes. */
function nest(resultBytes: number): object {
  // Each of two lines a level is indented by two spaces more.
  const depth = Math.floor(Math.sqrt(resultBytes / 2));
  return { action: "format", input: "[".repeat(depth) + "]".repeat(depth) };
}

function callTool(name: string, args: object): Bytes {
  const params = { name, arguments: args };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return post("/mcp", JSON.stringify(message));
}

const DEEP = JSON.stringify(nest(8_370_000));
const MILLION_CHUNKS = "1\r\na\r\n".repeat(1_000_000) + "0\r\n\r\n";

/** Multiples of a power of two, which share a place in the table of strings. */
const COLLIDING = JSON.stringify({
  strings: Array.from({ length: 10_000 }, (_, i) => String((i + 1) * 65_536)),
});

/** The connections of an attack. */
export class Attacker implements Disposable {
  readonly port: number;
  readonly #end = performance.now() + ATTACK_MS;
  readonly #scope = new DisposableStack();

  constructor(port: number) {
    this.port = port;
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

  /** Opens a connection that reads what the windows of its streams allow. */
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

/** Sends all bytes; false if the server closes the connection before. */
function send(connection: Deno.TcpConn, data: Bytes): Promise<boolean> {
  return ignoreClosed((async () => {
    for (let sent = 0; sent < data.length;) {
      sent += await connection.write(data.subarray(sent));
    }
  })());
}

/** Receives so many bytes, fewer if the connection ends before. */
async function receive(connection: Deno.TcpConn, bytes: number) {
  const buffer = new Uint8Array(bytes);
  let received = 0;
  while (received < bytes) {
    const count = await connection.read(buffer.subarray(received))
      .catch(() => null);
    if (count === null) break;
    received += count;
  }
  return received;
}

/** Reads some bytes at a time with pauses, up to 8 MB; returns how many. */
async function readSlowly(
  connection: Deno.TcpConn,
  { attacker, bytes, pauseMs }: {
    readonly attacker?: Attacker;
    readonly bytes: number;
    readonly pauseMs: number;
  },
): Promise<number> {
  let total = 0;
  for (let received = bytes; received === bytes && total < 8_300_000;) {
    if (attacker?.isOver) break;
    received = await receive(connection, bytes);
    total += received;
    await delay(pauseMs);
  }
  return total;
}

/** Repeats a request on connections of their own, each response read whole. */
function repeat(count: number, request: Bytes): Attack {
  return async (attacker) => {
    await Promise.all(Array.from({ length: count }, async () => {
      while (!attacker.isOver) {
        const connection = await attacker.connect(request);
        await connection.closeWrite();
        while (await connection.read(new Uint8Array(65_536)) !== null);
      }
    }));
  };
}

/** Opens connections that send the same and read nothing. */
function connect(count: number, data?: Bytes): Attack {
  return async (attacker) => {
    for (let i = 0; i < count; i += 1) await attacker.connect(data);
    await attacker.untilOver();
  };
}

/** Opens HTTP/2 streams whose windows are 0. */
function openStreams(
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

const HEADERS = {
  streamId: 1,
  payload: encodeFields([["x", "b".repeat(16_000)]]),
};

const HEADER_BOMB = [
  frame(FRAME.headers, 0, HEADERS),
  ...Array(500).fill(frame(FRAME.continuation, 0, HEADERS)),
];

const ODD_FIELDS = [
  [[":method", "GET"]],
  [[":path", "/"], [":path", "/"]],
  [[":method", "GET"], [":scheme", "http"], [":path", ""]],
  [[":method", "GET"], [":path", "*"], [":authority", "a b"]],
  [[":method", "CONNECT"], [":authority", "h:1"]],
  [[":status", "200"]],
  [["x", "y"], [":method", "GET"]],
] as const;

const SETTINGS_AND_PINGS = Array(500).fill([
  frame(FRAME.ping, 0, { payload: new Uint8Array(8) }),
  frame(FRAME.settings, 0),
]).flat();

/** The attacks by name. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  "nothing (for comparison)": (attacker) => attacker.untilOver(),

  async "HTTP/2, window 0, three results of 8 MiB a second"(attacker) {
    const client = await attacker.connectHttp2(0);
    while (!attacker.isOver) {
      await client.send(...client.request("/api/json", { body: DEEP }));
      await delay(333);
    }
  },

  async "three clients that read 256 KiB of 8 MiB every 0.9 s"(attacker) {
    await Promise.all(Array.from({ length: 3 }, async () => {
      while (!attacker.isOver) {
        const connection = await attacker.connect(post("/api/json", DEEP));
        const options = { attacker, bytes: 256 * 1024, pauseMs: 900 };
        await readSlowly(connection, options);
      }
    }));
  },

  async "four readers of 8 MiB at 0.25 to 1 MB/s beside 200 that read nothing"(
    attacker,
  ) {
    const standing = openStreams("/api/json", { body: DEEP }, 200)(attacker);
    const sizes = await Promise.all([0.25, 0.5, 0.75, 1].map(async (speed) => {
      const connection = await attacker.connect(post("/api/json", DEEP));
      const options = { bytes: 16 * 1024, pauseMs: 16.384 / speed };
      return await readSlowly(connection, options);
    }));
    await standing;
    return `${sizes.filter((size) => size >= 8_300_000).length} of 4 finished`;
  },

  "1,000 HTTP/2 streams, window 0, 8 MiB each": openStreams("/api/json", {
    body: DEEP,
  }),
  "1,000 HTTP/2 streams, window 0, 100 KB each": openStreams("/api/json", {
    body: JSON.stringify(nest(100_000)),
  }),
  "1,000 HTTP/2 streams, window 0, 30 KB each": openStreams("/api/json", {
    body: JSON.stringify(nest(30_000)),
  }),
  "1,000 HTTP/2 streams, window 0, the page's script": openStreams("/app.js"),
  "1,000 HTTP/2 streams that announce 1 MB and stall": openStreams(
    "/api/hash",
    { claimedBytes: 1_000_000, body: " " },
  ),
  "1,000 clients that announce 1 MB and stall": connect(
    1_000,
    post("/api/hash", "{", 1_000_000),
  ),
  "1,000 clients that announce 120 KB and stall": connect(
    1_000,
    post("/api/hash", "{", 120_000),
  ),
  "1,000 clients that send 900 KB of 1 MB and stall": connect(
    1_000,
    post("/api/hash", " ".repeat(900_000), 1_000_000),
  ),
  "1,000 clients that do not read 8 MiB": connect(
    1_000,
    post("/api/json", DEEP),
  ),
  "1,000 clients that do not read, 100 requests each": connect(
    1_000,
    utf8Encoder.encode(get("/api/uuid?count=100").repeat(100)),
  ),

  async "one body of 100,000 one-byte chunks, over and over"(attacker) {
    const request = postInChunks("1\r\na\r\n".repeat(100_000) + "0\r\n\r\n");
    await repeat(1, request)(attacker);
  },

  async "a million one-byte chunks in one write"(attacker) {
    await send(await attacker.connect(), postInChunks(MILLION_CHUNKS));
    await attacker.untilOver();
  },

  async "a million one-byte chunks in a thousand writes"(attacker) {
    const connection = await attacker.connect();
    const data = postInChunks(MILLION_CHUNKS);
    let isOpen = true;
    for (let start = 0; isOpen && start < data.length; start += 6_000) {
      isOpen = await send(connection, data.subarray(start, start + 6_000));
    }
    await attacker.untilOver();
  },

  async "a million one-byte chunks after the head"(attacker) {
    const connection = await attacker.connect(postInChunks(""));
    await delay(100);
    await send(connection, utf8Encoder.encode(MILLION_CHUNKS));
    await attacker.untilOver();
  },

  "4 clients with 120 KB of colliding strings": repeat(
    4,
    post("/api/hash", COLLIDING),
  ),
  "8 clients with tool calls of 850 KB": repeat(
    8,
    callTool("processJson", {
      action: "minify",
      input: createRecords(600_000),
    }),
  ),

  async "tool calls with results of 8 MiB, abandoned 100 at a time"(attacker) {
    const call = callTool("processJson", nest(8_370_000));
    while (!attacker.isOver) {
      using abandoned = new Attacker(attacker.port);
      for (let i = 0; i < 100; i += 1) await abandoned.connect(call);
      await delay(50);
    }
  },

  async "a pipeline of tiny requests whose responses are read"(attacker) {
    const connection = await attacker.connect();
    const requests = utf8Encoder.encode(get("/api/uuid").repeat(100));
    (async () => {
      while (!attacker.isOver) await send(connection, requests);
    })();
    while (!attacker.isOver) await connection.read(new Uint8Array(65_536));
  },

  "10,000 idle connections": connect(10_000),

  async "connections that are reset, one after the other"(attacker) {
    const unfinished = utf8Encoder.encode(get("/api/uuid").slice(0, -1));
    while (!attacker.isOver) {
      using connection = new Attacker(attacker.port);
      await connection.connect(unfinished);
    }
  },

  async "HTTP/2 streams that are reset at once"(attacker) {
    let connections = 0;
    for (; !attacker.isOver; connections += 1) {
      const client = await attacker.connectHttp2(65_535);
      for (let isOpen = true; isOpen && !attacker.isOver;) {
        const frames = client.request("/api/json", { body: DEEP });
        isOpen = await client.send(...frames, client.reset());
      }
    }
    return `${connections} connections`;
  },

  async "floods of SETTINGS and PING"(attacker) {
    const client = await attacker.connectHttp2(65_535);
    while (!attacker.isOver && await client.send(...SETTINGS_AND_PINGS));
    if (!attacker.isOver) return "the server closed the connection";
  },

  async "header bombs by CONTINUATION"(attacker) {
    while (!attacker.isOver) {
      const client = await attacker.connectHttp2(65_535);
      await client.send(...HEADER_BOMB);
    }
  },

  async "odd pseudo-headers"(attacker) {
    while (!attacker.isOver) {
      for (const fields of ODD_FIELDS) {
        const client = await attacker.connectHttp2(65_535);
        const payload = encodeFields(fields);
        const flags = FLAG.endHeaders | FLAG.endStream;
        await client.send(
          frame(FRAME.headers, flags, { streamId: 1, payload }),
        );
      }
      await delay(20);
    }
  },

  async "64 of the worst legal requests at a time"(attacker) {
    const zeros = `[${"0,".repeat(500_000)}0]`;
    const requests = [
      ["json", DEEP],
      ["json", JSON.stringify({ action: "format", input: zeros })],
      [
        "base64",
        JSON.stringify({ action: "decode", input: "A".repeat(1_000_000) }),
      ],
      [
        "base64",
        JSON.stringify({ action: "encode", input: "a".repeat(1_000_000) }),
      ],
    ];
    const counts: Record<number, number> = {};
    await Promise.all(Array.from({ length: 64 }, async (_, i) => {
      const [path, body] = requests[i % requests.length]!;
      const url = `http://127.0.0.1:${attacker.port}/api/${path}`;
      while (!attacker.isOver) {
        const response = await fetch(url, { method: "POST", body: body! });
        await response.arrayBuffer();
        counts[response.status] = (counts[response.status] ?? 0) + 1;
      }
    }));
    return JSON.stringify(counts);
  },
};
