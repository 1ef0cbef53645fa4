/**
 * What one hostile or slow client does to the others: each attack over real
 * sockets, beside honest clients that ask for small things 20 times a second.
 *
 * ```
 * deno task bench:attacks [--parallel] [name of an attack …]
 * ```
 *
 * @module
 */

// deno-lint-ignore-file no-console -- a benchmark prints its figures

import { type ServerProcess, startServer } from "../tests/_server.ts";
import {
  encodeFields,
  FLAG,
  FRAME,
  frame,
  Http2Client,
  ignoreClosed,
} from "../tests/_http2.ts";
import type { Order, Report } from "./_honest.ts";
import { readResidentMiB } from "./_load.ts";

/** How long an attack goes on, unless it ends by itself, in seconds. */
const ATTACK_SECONDS = 8;

/** How long the honest clients are watched before and after, in seconds. */
const QUIET_SECONDS = 3;

/** How long the resident size may take to come back, in seconds. */
const RETURN_SECONDS = 30;

/** An attack; what it opens is left open until the scope ends. */
type Attack = (attacker: Attacker) => Promise<void>;

const delay = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Brackets that make an answer of just below 8 MiB of 4 KB. */
const LARGE = JSON.stringify({
  action: "format",
  input: "[".repeat(2_046) + "]".repeat(2_046),
});

/** A small request whose answer has about so many bytes. */
function ofSize(bytes: number): string {
  // Brackets in brackets take two spaces a level, opening and closing.
  const depth = Math.floor(Math.sqrt(bytes / 2));
  const input = "[".repeat(depth) + "]".repeat(depth);
  return JSON.stringify({ action: "format", input });
}

function http1(path: string, body?: string): string {
  return body === undefined
    ? `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`
    : `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Opens connections and closes them when the attack is over. */
class Attacker implements Disposable {
  readonly port: number;
  /** What the attack itself found worth telling. */
  remark = "";
  readonly #end = performance.now() + ATTACK_SECONDS * 1_000;
  readonly #connections: Disposable[] = [];

  constructor({ port }: ServerProcess) {
    this.port = port;
  }

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async untilOver(): Promise<void> {
    await delay(this.#end - performance.now());
  }

  async connect(text = ""): Promise<Deno.TcpConn> {
    const connection = await Deno.connect({
      hostname: "127.0.0.1",
      port: this.port,
    });
    this.#connections.push(connection);
    await write(connection, text);
    return connection;
  }

  async connectHttp2(windowBytes: number): Promise<Http2Client> {
    const client = await Http2Client.open(this.port, { windowBytes });
    this.#connections.push(client);
    client.drain();
    return client;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection[Symbol.dispose]();
  }
}

async function write(connection: Deno.TcpConn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let sent = 0; sent < bytes.byteLength;) {
    sent += await connection.write(bytes.subarray(sent));
  }
}

/** Writes all, or as much as the server takes before it closes the connection. */
async function pour(connection: Deno.TcpConn, text: string): Promise<void> {
  await ignoreClosed(write(connection, text));
}

/** Reads so many bytes at a time, with a pause after each; how many in all. */
async function readSlowly(
  connection: Deno.TcpConn,
  { bytes, pauseMs, until }: {
    readonly bytes: number;
    readonly pauseMs: number;
    readonly until: (received: number) => boolean;
  },
): Promise<number> {
  let received = 0;
  const buffer = new Uint8Array(bytes);
  while (!until(received)) {
    for (let taken = 0; taken < bytes;) {
      const count = await connection.read(buffer.subarray(taken))
        .catch(() => null);
      if (count === null) return received;
      taken += count;
      received += count;
      if (until(received)) return received;
    }
    await delay(pauseMs);
  }
  return received;
}

/** Streams that all ask for the same, over as many connections as they need. */
async function openStreams(
  attacker: Attacker,
  count: number,
  request: (client: Http2Client) => Uint8Array<ArrayBuffer>[],
): Promise<void> {
  const perConnection = 200;
  for (let opened = 0; opened < count; opened += perConnection) {
    const client = await attacker.connectHttp2(0);
    // A server that closes the connection has ended the attack on it.
    let isOpen = true;
    for (let i = 0; isOpen && i < perConnection; i += 1) {
      isOpen = await client.send(...request(client));
    }
    if (!isOpen) attacker.remark = "the server closed a connection";
  }
  await attacker.untilOver();
}

/** Opens many connections that all say the same and read nothing. */
async function openConnections(
  attacker: Attacker,
  count: number,
  text: string,
): Promise<void> {
  for (let i = 0; i < count; i += 1) await attacker.connect(text);
  await attacker.untilOver();
}

const ATTACKS: Record<string, Attack> = {
  "nothing (for comparison)": (attacker) => attacker.untilOver(),

  async "HTTP/2, window 0, three 8 MiB answers a second"(attacker) {
    const client = await attacker.connectHttp2(0);
    while (!attacker.isOver) {
      await client.send(...client.request("/api/json", { body: LARGE }));
      await delay(333);
    }
  },

  async "three clients that take 256 KiB of 8 MiB every 0.9 s"(attacker) {
    await Promise.all(Array.from({ length: 3 }, async () => {
      while (!attacker.isOver) {
        const connection = await attacker.connect(http1("/api/json", LARGE));
        await readSlowly(connection, {
          bytes: 256 * 1024,
          pauseMs: 900,
          until: (received) => received > 8_000_000 || attacker.isOver,
        });
      }
    }));
  },

  async "four honest readers of 8 MiB at 0.25 to 1 MB/s, beside 200 that take nothing"(
    attacker,
  ) {
    const sizes = await Promise.all(
      [0.25, 0.5, 0.75, 1].map(async (speed) => {
        const connection = await attacker.connect(http1("/api/json", LARGE));
        return await readSlowly(connection, {
          bytes: 16 * 1024,
          pauseMs: 16.384 / speed,
          until: (received) => received >= 8_300_000,
        });
      }).concat(
        openStreams(
          attacker,
          200,
          (client) => client.request("/api/json", { body: LARGE }),
        ).then(() => 0),
      ),
    );
    const finished = sizes.filter((size) => size >= 8_300_000).length;
    attacker.remark = `${finished} of 4 finished`;
  },

  "1,000 HTTP/2 streams, window 0, 8 MiB each": (attacker) =>
    openStreams(
      attacker,
      1_000,
      (client) => client.request("/api/json", { body: LARGE }),
    ),

  "1,000 HTTP/2 streams, window 0, 100 KB each": (attacker) =>
    openStreams(
      attacker,
      1_000,
      (client) => client.request("/api/json", { body: ofSize(100_000) }),
    ),

  "1,000 HTTP/2 streams, window 0, 30 KB each": (attacker) =>
    openStreams(
      attacker,
      1_000,
      (client) => client.request("/api/json", { body: ofSize(30_000) }),
    ),

  "1,000 HTTP/2 streams, window 0, the page's script": (attacker) =>
    openStreams(attacker, 1_000, (client) => client.request("/app.js")),

  "1,000 HTTP/2 streams that claim 1 MB and stall": (attacker) =>
    openStreams(
      attacker,
      1_000,
      (client) =>
        client.request("/api/hash", { claimedBytes: 1_000_000, body: " " }),
    ),

  "1,000 clients that claim 1 MB and stall": (attacker) =>
    openConnections(
      attacker,
      1_000,
      "POST /api/hash HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n{",
    ),

  "1,000 clients that claim 120 KB and stall": (attacker) =>
    openConnections(
      attacker,
      1_000,
      "POST /api/hash HTTP/1.1\r\nHost: h\r\nContent-Length: 120000\r\n\r\n{",
    ),

  "1,000 clients that send 900 KB of 1 MB and stall": (attacker) =>
    openConnections(
      attacker,
      1_000,
      "POST /api/hash HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" +
        " ".repeat(900_000),
    ),

  "1,000 clients that do not read 8 MiB": (attacker) =>
    openConnections(attacker, 1_000, http1("/api/json", LARGE)),

  "1,000 clients that do not read, 100 requests each": (attacker) =>
    openConnections(
      attacker,
      1_000,
      http1("/api/uuid?count=100").repeat(100),
    ),

  async "one chunked body of 100,000 one-byte chunks, over and over"(attacker) {
    const body = "1\r\na\r\n".repeat(100_000) + "0\r\n\r\n";
    const connection = await attacker.connect();
    while (!attacker.isOver) {
      await pour(
        connection,
        `POST /api/hash HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
      );
      await connection.read(new Uint8Array(4_096));
    }
  },

  async "a million one-byte chunks"(attacker) {
    const connection = await attacker.connect();
    await pour(
      connection,
      "POST /api/hash HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" +
        "1\r\na\r\n".repeat(1_100_000),
    );
    await attacker.untilOver();
  },

  async "a pipeline of tiny requests that is read"(attacker) {
    const connection = await attacker.connect();
    const reading = readSlowly(connection, {
      bytes: 65_536,
      pauseMs: 0,
      until: () => attacker.isOver,
    });
    // It may wait for ever for the server to take more, when nobody reads.
    (async () => {
      while (!attacker.isOver) {
        await pour(connection, http1("/api/uuid").repeat(100));
      }
    })();
    await reading;
  },

  "10,000 idle connections": (attacker) =>
    openConnections(attacker, 10_000, ""),

  async "connections that are reset, one after the other"(attacker) {
    while (!attacker.isOver) {
      const connection = await Deno.connect({
        hostname: "127.0.0.1",
        port: attacker.port,
      });
      await write(connection, http1("/api/uuid").slice(0, -1));
      connection.close();
    }
  },

  async "HTTP/2 streams that are reset at once"(attacker) {
    let connections = 0;
    while (!attacker.isOver) {
      const client = await attacker.connectHttp2(65_535);
      connections += 1;
      for (let isOpen = true; isOpen && !attacker.isOver;) {
        const frames = client.request("/api/json", { body: LARGE });
        isOpen = await client.send(...frames, client.reset());
      }
    }
    attacker.remark = `${connections} connections`;
  },

  async "floods of SETTINGS and PING"(attacker) {
    const client = await attacker.connectHttp2(65_535);
    const ping = frame(FRAME.ping, 0, { payload: new Uint8Array(8) });
    const flood = Array.from(
      { length: 500 },
      () => [ping, frame(FRAME.settings, 0)],
    ).flat();
    while (!attacker.isOver) {
      const isOpen = await client.send(...flood);
      if (!isOpen) {
        attacker.remark = "the server closed the connection";
        return;
      }
    }
  },

  async "header bombs by CONTINUATION"(attacker) {
    let closed = 0;
    while (!attacker.isOver) {
      const client = await attacker.connectHttp2(65_535);
      const fields = encodeFields([["x", "b".repeat(16_000)]]);
      const frames = [
        frame(FRAME.headers, 0, { streamId: 1, payload: fields }),
      ];
      for (let i = 0; i < 500; i += 1) {
        frames.push(
          frame(FRAME.continuation, 0, { streamId: 1, payload: fields }),
        );
      }
      const isOpen = await client.send(...frames);
      if (!isOpen) closed += 1;
    }
    attacker.remark = `closed ${closed} times`;
  },

  async "odd pseudo-headers"(attacker) {
    const odd = [
      [[":method", "GET"]],
      [[":path", "/"], [":path", "/"]],
      [[":method", "GET"], [":scheme", "http"], [":path", ""]],
      [[":method", "GET"], [":scheme", "http"], [":path", "*"], [
        ":authority",
        "a b",
      ]],
      [[":method", "CONNECT"], [":authority", "h:1"]],
      [[":status", "200"]],
      [["x", "y"], [":method", "GET"]],
    ] as const;
    while (!attacker.isOver) {
      for (const fields of odd) {
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
    const bodies = [
      LARGE,
      JSON.stringify({ action: "format", input: `[${"0,".repeat(500_000)}0]` }),
      JSON.stringify({ action: "decode", input: "AAAA".repeat(250_000) }),
      JSON.stringify({ action: "encode", input: "a".repeat(1_000_000) }),
    ];
    const counts: Record<number, number> = {};
    await Promise.all(Array.from({ length: 64 }, async (_, i) => {
      while (!attacker.isOver) {
        const body = bodies[i % bodies.length]!;
        const path = body.includes("format") ? "json" : "base64";
        const response = await fetch(
          `http://127.0.0.1:${attacker.port}/api/${path}`,
          { method: "POST", body },
        );
        await response.arrayBuffer();
        counts[response.status] = (counts[response.status] ?? 0) + 1;
      }
    }));
    attacker.remark = JSON.stringify(counts);
  },
};

function percentile(sorted: readonly number[], share: number): string {
  const latency =
    sorted[Math.min(sorted.length - 1, sorted.length * share | 0)];
  return (latency ?? NaN).toFixed(latency! < 10 ? 1 : 0);
}

function ask(worker: Worker): Promise<Report> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage("report" satisfies Order);
  });
}

async function run(name: string, attack: Attack, isParallel: boolean) {
  await using server = await startServer({}, { isParallel });
  const honest = new Worker(import.meta.resolve("./_honest.ts"), {
    type: "module",
  });
  honest.postMessage({ origin: server.origin } satisfies Order);
  await delay(1_000);
  await ask(honest);
  await delay(QUIET_SECONDS * 1_000);
  const quiet = await ask(honest);
  const sizeBefore = await readResidentMiB(server);
  let peak = sizeBefore;
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await readResidentMiB(server));
      await delay(100);
    }
  })();
  let remark: string;
  {
    using attacker = new Attacker(server);
    await attack(attacker);
    remark = attacker.remark;
  }
  isOver = true;
  await watch;
  const during = await ask(honest);
  let seconds = 0;
  let size = await readResidentMiB(server);
  while (size > 1.5 * sizeBefore && seconds < RETURN_SECONDS) {
    await delay(1_000);
    seconds += 1;
    size = await readResidentMiB(server);
  }
  const after = await ask(honest);
  honest.terminate();
  console.log(
    `| ${
      [
        name,
        ...[quiet, during].flatMap(({ latencies }) => [
          percentile(latencies, 0.5),
          percentile(latencies, 0.99),
        ]),
        quiet.refusals + during.refusals + after.refusals,
        sizeBefore.toFixed(0),
        peak.toFixed(0),
        `${size.toFixed(0)} after ${seconds} s`,
        remark,
      ].join(" | ")
    } |`,
  );
}

const names = Deno.args.filter((argument) => !argument.startsWith("--"));
const isParallel = Deno.args.includes("--parallel");
console.log(
  "| attack | quiet p50, ms | p99 | during p50 | p99 | refused | MiB before | peak | after | |",
);
console.log(
  "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |",
);
for (const [name, attack] of Object.entries(ATTACKS)) {
  if (names.length > 0 && !names.some((part) => name.includes(part))) continue;
  await run(name, attack, isParallel);
}
