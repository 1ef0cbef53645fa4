/**
 * The client matrix: ordinary requests in every form in which clients send them,
 * with answers that are known by another way than the service's.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { RawConnection } from "./_connection.ts";
import {
  FLAG,
  FRAME,
  frame,
  Http2Client,
  ignoreClosed,
  type ReceivedFrame,
} from "./_http2.ts";

/** Largest body that the service takes by default, in bytes. */
const MAX_BODY_BYTES = 1_048_576;

/** Largest frame that HTTP/2 allows before more is agreed upon, in bytes. */
const MAX_FRAME_BYTES = 16_384;

/** Largest body that is sent in chunks of 7 bytes. */
const MAX_TINY_CHUNKS_BYTES = 40_000;

/** Exchanges at a time. */
const CONCURRENCY = 8;

const LENGTHS = [
  200,
  2_000,
  ...[32_768, 65_536, 131_072, MAX_BODY_BYTES].flatMap((length) =>
    [-2, -1, 0, 1, 2].map((difference) => length + difference)
  ),
];

/** The size of each piece in bytes, or pieces of random sizes. */
type PieceSize = number | "random";

/** A body with its length, or in chunks of a size. */
const FRAMINGS: readonly (PieceSize | "length")[] = [
  "length",
  "random",
  ...[7, 100, 1_000, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536],
];

/** One write, a write a chunk, or cuts at random places with pauses. */
const WRITES = ["one", "chunks", "cuts"] as const;

const FRAME_SIZES = [100, 1_024, 4_096, MAX_FRAME_BYTES, "random"] as const;

/** The body and the answer of an operation on some text. */
type Operation = readonly [
  path: string,
  createBody: (text: string) => object,
  createAnswer: (text: string) => object,
];

/** A message that calls a tool. */
export function toolCall(name: string, args: object): object {
  const params = { name, arguments: args };
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params };
}

function toolAnswer(structuredContent: object): object {
  const text = JSON.stringify(structuredContent);
  const result = { content: [{ type: "text", text }], structuredContent };
  return { jsonrpc: "2.0", id: 1, result };
}

function hash(algorithm: string, text: string): object {
  return {
    result: createHash(algorithm).update(text).digest("hex"),
    algorithm,
  };
}

const OPERATIONS: readonly Operation[] = [
  [
    "/api/hash",
    (text) => ({ algorithm: "sha256", input: `é${text}` }),
    (text) => hash("sha256", `é${text}`),
  ],
  [
    "/api/base64",
    (text) => ({ action: "encode", input: `é${text}` }),
    (text) => ({ result: Buffer.from(`é${text}`).toString("base64") }),
  ],
  [
    "/mcp",
    (text) => toolCall("hashText", { algorithm: "sha512", input: text }),
    (text) => toolAnswer(hash("sha512", text)),
  ],
  [
    "/api/json",
    (text) => ({ action: "format", input: `["${text}"]`, indent: 4 }),
    (text) => ({ result: `[\n    "${text}"\n]`, valid: true }),
  ],
  [
    "/api/base64",
    (text) => ({ action: "decode", input: text }),
    (text) => ({ result: atob(text) }),
  ],
];

/** A request of exactly so many bytes, and the answer that it must get. */
export interface Exchange {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly expected: object;
}

/** Base64 of 45 bytes, whose period of 60 divides no buffer. */
const FILLER = btoa("The quick brown fox jumps over the lazy dog..");

const utf8Encoder = new TextEncoder();

/** Makes the request of an operation with a body of an exact length. */
export function createExchange(index: number, length: number): Exchange {
  const [path, createBody, createAnswer] =
    OPERATIONS[index % OPERATIONS.length]!;
  const encode = (text: string) =>
    utf8Encoder.encode(JSON.stringify(createBody(text)));
  const room = length - encode("").byteLength;
  // Whole groups of four characters, so that it can be decoded as Base64.
  const text = FILLER.repeat(Math.ceil(room / FILLER.length))
    .slice(0, room - room % 4);
  const bytes = new Uint8Array(length).fill(0x20);
  bytes.set(encode(text));
  return { path, bytes, expected: createAnswer(text) };
}

/** Numbers from 0 that look random and are the same in every run. */
type Random = (max: number) => number;

/** Makes a linear congruential generator. */
function createRandom(seed: number): Random {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * max);
  };
}

function* cut(
  bytes: Uint8Array<ArrayBuffer>,
  size: PieceSize,
  random: Random,
): Generator<Uint8Array<ArrayBuffer>> {
  for (let start = 0, end; start < bytes.byteLength; start = end) {
    end = start + (size === "random" ? 1 + random(MAX_FRAME_BYTES) : size);
    yield bytes.subarray(start, end);
  }
}

interface Received {
  readonly isOk: boolean;
  readonly body: string;
}

/** How a body is sent over HTTP/1.1. */
interface Form {
  readonly framing: PieceSize | "length";
  readonly writes: (typeof WRITES)[number];
  /** Whether the client waits for status 100. */
  readonly expects: boolean;
  readonly random: Random;
}

async function exchangeHttp1(
  port: number,
  { path, bytes }: Exchange,
  form: Form,
): Promise<Received> {
  using connection = await RawConnection.open({ port });
  const framing = form.framing === "length"
    ? `Content-Length: ${bytes.byteLength}`
    : "Transfer-Encoding: chunked";
  const expects = form.expects ? "Expect: 100-continue\r\n" : "";
  await connection.send(
    `POST ${path} HTTP/1.1\r\nHost: h\r\n${expects}${framing}\r\n\r\n`,
  );
  let answer = form.expects ? await connection.receive() : undefined;
  if (answer === undefined || answer.status === 100) {
    const sending = ignoreClosed(sendBody(connection, bytes, form));
    answer = await connection.receive();
    await sending;
  }
  return { isOk: answer.status === 200, body: answer.body };
}

async function sendBody(
  connection: RawConnection,
  bytes: Uint8Array<ArrayBuffer>,
  { framing, writes, random }: Form,
): Promise<void> {
  const pieces: (string | Uint8Array<ArrayBuffer>)[] = [];
  if (framing === "length") pieces.push(...cut(bytes, 1_460, random));
  else {
    for (const chunk of cut(bytes, framing, random)) {
      pieces.push(`${chunk.byteLength.toString(16)}\r\n`, chunk, "\r\n");
    }
    pieces.push("0\r\n\r\n");
  }
  if (writes === "chunks") {
    for (const piece of pieces) await connection.send(piece);
    return;
  }
  const whole = await new Blob(pieces).bytes();
  if (writes === "one") return await connection.send(whole);
  // At most forty pauses: a client that takes very long would rightly get 408.
  const size = Math.ceil(whole.byteLength / 40) * (1 + random(10));
  for (const piece of cut(whole, size, random)) {
    await connection.send(piece);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** `:status: 200` as an index of the static table (RFC 7541, appendix A). */
const STATUS_200 = 0x88;

/** Identifier of a setting, and the window before it comes (RFC 9113, 6.5.2). */
const INITIAL_WINDOW_SIZE = 4;
const DEFAULT_WINDOW_BYTES = 65_535;

async function exchangeHttp2(
  port: number,
  { path, bytes }: Exchange,
  { frameSize, hasLength, random }: {
    readonly frameSize: PieceSize;
    readonly hasLength: boolean;
    readonly random: Random;
  },
): Promise<Received> {
  const windowBytes = 4 * MAX_BODY_BYTES;
  using client = await Http2Client.open(port, { windowBytes });
  let streamWindow = DEFAULT_WINDOW_BYTES;
  let connectionWindow = DEFAULT_WINDOW_BYTES;
  let isOk = false;
  let isOver = false;
  const body: Uint8Array<ArrayBuffer>[] = [];
  function take(received: ReceivedFrame): boolean {
    const { type, flags, streamId, payload, isEnd } = received;
    const view = new DataView(payload.buffer, payload.byteOffset);
    if (type === FRAME.settings && flags === 0) {
      for (let i = 0; i < payload.byteLength; i += 6) {
        if (view.getUint16(i) !== INITIAL_WINDOW_SIZE) continue;
        streamWindow += view.getUint32(i + 2) - DEFAULT_WINDOW_BYTES;
      }
      client.send(frame(FRAME.settings, FLAG.ack));
    } else if (type === FRAME.windowUpdate) {
      if (streamId === 0) connectionWindow += view.getUint32(0);
      else streamWindow += view.getUint32(0);
    } else if (type === FRAME.headers) isOk = payload[0] === STATUS_200;
    else if (type === FRAME.data) body.push(payload);
    isOver = isEnd || type === FRAME.resetStream;
    return true;
  }
  const fields = hasLength
    ? [["content-length", String(bytes.byteLength)] as const]
    : [];
  await client.send(
    ...client.request(path, { body: "", fields }),
    ...client.openWindow(windowBytes),
  );
  let left = bytes.byteLength;
  for (const payload of cut(bytes, frameSize, random)) {
    const isOpen = () =>
      Math.min(streamWindow, connectionWindow) >= payload.byteLength;
    while (!isOver && !isOpen()) await client.receive(take);
    if (isOver) break;
    left -= payload.byteLength;
    streamWindow -= payload.byteLength;
    connectionWindow -= payload.byteLength;
    const flags = left === 0 ? FLAG.endStream : 0;
    await client.send(frame(FRAME.data, flags, { streamId: 1, payload }));
  }
  while (!isOver) await client.receive(take);
  return { isOk, body: await new Blob(body).text() };
}

/** One row of the matrix. */
interface Row {
  readonly name: string;
  run(port: number, exchange: Exchange): Promise<Received>;
}

function listRows(length: number): Row[] {
  const rows: Row[] = [];
  for (const framing of FRAMINGS) {
    if (framing === 7 && length > MAX_TINY_CHUNKS_BYTES) continue;
    for (const writes of WRITES) {
      const index = rows.length;
      const expects = Math.floor(index / 2) % 2 === 1;
      const form = { framing, writes, expects, random: createRandom(index) };
      rows.push({
        name: `${framing}, ${writes}${expects ? ", expecting 100" : ""}`,
        run: (port, exchange) => exchangeHttp1(port, exchange, form),
      });
    }
  }
  for (const frameSize of FRAME_SIZES) {
    const index = rows.length;
    const hasLength = index % 2 === 1;
    const form = { frameSize, hasLength, random: createRandom(index) };
    rows.push({
      name: `HTTP/2 frames of ${frameSize}${hasLength ? ", with length" : ""}`,
      run: (port, exchange) => exchangeHttp2(port, exchange, form),
    });
  }
  return rows;
}

/** Describes a wrong answer, undefined for a right one. */
function findFault(
  { isOk, body }: Received,
  { bytes, expected }: Exchange,
): string | undefined {
  const isRight = bytes.byteLength > MAX_BODY_BYTES
    ? !isOk && body.includes(String(MAX_BODY_BYTES))
    : isOk && isDeepStrictEqual(JSON.parse(body), expected);
  return isRight ? undefined : `answered with ${body.slice(0, 200)}`;
}

/**
 * Sends every n-th exchange of the matrix, several at a time. Returns how many
 * there were, and a line for each that was not answered as it must be.
 */
export async function runMatrix(
  { port }: { readonly port: number },
  { every = 1 }: { readonly every?: number } = {},
): Promise<{ count: number; failures: string[] }> {
  const exchanges = LENGTHS.flatMap((length) =>
    listRows(length).map((row) => ({ length, ...row }))
  ).map((row, index) => ({ ...row, index }))
    .filter(({ index }) => index % every === 0);
  const failures: string[] = [];
  const waiting = exchanges.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    for (const { name, length, index, run } of waiting) {
      const exchange = createExchange(index, length);
      const fault = await run(port, exchange)
        .then((received) => findFault(received, exchange), String);
      if (fault === undefined) continue;
      failures.push(`${exchange.path}, ${length} bytes, ${name}: ${fault}`);
    }
  }));
  return { count: exchanges.length, failures };
}
