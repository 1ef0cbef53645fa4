/** The attacks that `attacks.ts` runs. */

import { encodeFields, FLAG, FRAME, frame } from "../tests/_http2.ts";
import {
  type Attack,
  Attacker,
  callTool,
  connect,
  delay,
  get,
  nest,
  openStreams,
  post,
  postInChunks,
  readSlowly,
  repeat,
  RESULT_BYTES,
  send,
} from "./_attacker.ts";
import { createRecords } from "./_operations.ts";

const utf8Encoder = new TextEncoder();

const DEEP = JSON.stringify(nest(8_370_000));

const MILLION_CHUNKS = "1\r\na\r\n".repeat(1_000_000) + "0\r\n\r\n";

/** Multiples of a power of two, whose hashes are equal in V8's string table. */
const COLLIDING = JSON.stringify({
  strings: Array.from({ length: 10_000 }, (_, i) => String((i + 1) * 65_536)),
});

const LARGE = JSON.stringify({
  algorithm: "sha256",
  input: "a".repeat(1_000_000),
});

let rows = 0;

/** Returns strings of digits with equal hashes, which did not occur before. */
function createColliding(count: number): string[] {
  rows += 1;
  return Array.from({ length: count }, (_, i) => `${16_384 * (i + 62) + rows}`);
}

/** The attack for which the server logs requests into a pipe that nothing reads. */
export const UNREAD_LOG = "4 clients while nothing reads the log of requests";

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
        const pace = { bytes: 256 * 1024, pauseMs: 900 };
        await readSlowly(attacker, connection, pace);
      }
    }));
  },

  async "four readers of 8 MiB at 0.25 to 1 MB/s with 200 that read nothing"(
    attacker,
  ) {
    // The slowest reader needs longer than the default duration.
    using readers = new Attacker(attacker.port, 60_000);
    const fields = "Connection: close\r\n";
    const standing = openStreams("/api/json", { body: DEEP }, 200)(attacker);
    const sizes = await Promise.all([0.25, 0.5, 0.75, 1].map(async (speed) => {
      const request = post("/api/json", DEEP, { fields });
      const pace = { bytes: 16 * 1024, pauseMs: 16.384 / speed };
      for (;;) {
        const connection = await readers.connect(request);
        const size = await readSlowly(readers, connection, pace);
        if (size >= RESULT_BYTES || readers.isOver) return size;
        // After a 503: its `Retry-After` is 1.
        await delay(1_000);
      }
    }));
    await standing;
    return `${
      sizes.filter((size) => size >= RESULT_BYTES).length
    } of 4 finished`;
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
  "1,000 HTTP/2 streams, window 0, the page's script": openStreams("/page.js"),
  "1,000 HTTP/2 streams that announce 1 MB and stall": openStreams(
    "/api/hash",
    { claimedBytes: 1_000_000, body: " " },
  ),
  "1,000 clients that announce 1 MB and stall": connect(
    1_000,
    post("/api/hash", "{", { length: 1_000_000 }),
  ),
  "1,000 clients that announce 120 KB and stall": connect(
    1_000,
    post("/api/hash", "{", { length: 120_000 }),
  ),
  "1,000 clients that send 40 KB of 1 MB and stall": connect(
    1_000,
    post("/api/hash", " ".repeat(40_000), { length: 1_000_000 }),
  ),
  "1,000 clients that send 150 KB of 1 MB and stall": connect(
    1_000,
    post("/api/hash", " ".repeat(150_000), { length: 1_000_000 }),
  ),
  "1,000 clients that send 900 KB of 1 MB and stall": connect(
    1_000,
    post("/api/hash", " ".repeat(900_000), { length: 1_000_000 }),
  ),
  "1,000 clients that do not read 8 MiB": connect(
    1_000,
    post("/api/json", DEEP),
  ),
  "1,000 clients that do not read, 100 requests each": connect(
    1_000,
    utf8Encoder.encode(get("/api/uuid?count=100").repeat(100)),
  ),

  "one body of 100,000 one-byte chunks, repeated": repeat(
    1,
    postInChunks("1\r\na\r\n".repeat(100_000) + "0\r\n\r\n"),
  ),

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

  "4 clients with 60 KB of spaces in If-None-Match": repeat(
    4,
    utf8Encoder.encode(
      get("/", `If-None-Match: a${" ".repeat(60_000)}b\r\n`),
    ),
  ),
  "4 clients with queries of 60 KB of new names that collide": repeat(
    4,
    () =>
      utf8Encoder.encode(get(`/api/uuid?${createColliding(6_000).join("&")}`)),
  ),
  "4 clients with 15 KB of new strings that collide": repeat(
    4,
    () => post("/api/hash", JSON.stringify(createColliding(1_300))),
  ),
  [UNREAD_LOG]: repeat(4, utf8Encoder.encode(get("/api/uuid"))),

  "4 clients with 120 KB of colliding strings": repeat(
    4,
    post("/api/hash", COLLIDING),
  ),
  "512 clients with hashes of 1 MB": repeat(512, post("/api/hash", LARGE)),
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

  "64 clients with the slowest legal requests": repeat(
    64,
    post("/api/json", DEEP),
    post(
      "/api/json",
      `{"action":"format","input":"[${"0,".repeat(500_000)}0]"}`,
    ),
    post(
      "/api/base64",
      `{"action":"decode","input":"${"AAAA".repeat(250_000)}"}`,
    ),
    post(
      "/api/base64",
      `{"action":"encode","input":"${"a".repeat(1_000_000)}"}`,
    ),
  ),
};
