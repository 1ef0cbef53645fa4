/**
 * The client matrix: ordinary requests in every form in which clients send them,
 * with answers that are known by another way than the service's.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
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

/** How a body is framed: with its length, or in chunks of a size or of random sizes. */
type Framing = "length" | "random" | number;

const FRAMINGS: readonly Framing[] = [
  "length",
  "random",
  ...[7, 100, 1_000, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536],
];

/** One write, a write a chunk, or cuts at random places with pauses. */
const WRITES = ["one", "chunks", "cuts"] as const;

/** Largest frame that HTTP/2 allows before more is agreed upon, in bytes. */
const MAX_FRAME_BYTES = 16_384;

const FRAME_SIZES = [100, 1_024, 4_096, MAX_FRAME_BYTES, "random"] as const;

/** An operation: its body around some text, and the answer to that. */
interface Operation {
  readonly path: string;
  readonly body: (text: string) => unknown;
  readonly answer: (text: string) => unknown;
}

/** A message of a tool call. */
export function toolCall(name: string, args: object): object {
  const params = { name, arguments: args };
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params };
}

function toolAnswer(result: object): object {
  const content = [{ type: "text", text: JSON.stringify(result) }];
  const answer = { content, structuredContent: result };
  return { jsonrpc: "2.0", id: 1, result: answer };
}

function hash(algorithm: string, text: string): object {
  const result = createHash(algorithm).update(text).digest("hex");
  return { result, algorithm };
}

const OPERATIONS: readonly Operation[] = [
  {
    path: "/api/hash",
    body: (text) => ({ algorithm: "sha256", input: `é${text}` }),
    answer: (text) => hash("sha256", `é${text}`),
  },
  {
    path: "/api/base64",
    body: (text) => ({ action: "encode", input: `é${text}` }),
    answer: (text) => ({ result: Buffer.from(`é${text}`).toString("base64") }),
  },
  {
    path: "/mcp",
    body: (text) => toolCall("hashText", { algorithm: "sha512", input: text }),
    answer: (text) => toolAnswer(hash("sha512", text)),
  },
  {
    path: "/api/json",
    body: (text) => ({ action: "minify", input: `[ "${text}" ]` }),
    answer: (text) => ({ result: `["${text}"]`, valid: true }),
  },
  {
    path: "/api/base64",
    body: (text) => ({ action: "decode", input: text }),
    answer: (text) => ({ result: atob(text) }),
  },
  {
    path: "/api/json",
    body: (text) => ({ action: "format", input: `["${text}"]`, indent: 4 }),
    answer: (text) => ({ result: `[\n    "${text}"\n]`, valid: true }),
  },
  {
    path: "/mcp",
    body: (text) =>
      toolCall("processJson", { action: "validate", input: `["${text}"]` }),
    answer: () => toolAnswer({ result: "valid JSON", valid: true }),
  },
];

/** A request of exactly so many bytes, and the answer that it must get. */
export interface Exchange {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly expected: unknown;
}

/** Base64 of 45 bytes, whose period of 60 divides no buffer. */
const FILLER = btoa("The quick brown fox jumps over the lazy dog..");

/** Builds the request of an operation with a body of an exact length. */
export function createExchange(index: number, length: number): Exchange {
  const { path, body, answer } = OPERATIONS[index % OPERATIONS.length]!;
  const encode = (text: string) =>
    new TextEncoder().encode(JSON.stringify(body(text)));
  const room = Math.max(0, length - encode("").byteLength);
  // Whole groups of four characters, so that it can be decoded as Base64.
  const text = FILLER.repeat(Math.ceil(room / FILLER.length))
    .slice(0, room - room % 4);
  const bytes = new Uint8Array(length).fill(0x20);
  bytes.set(encode(text));
  return { path, bytes, expected: answer(text) };
}

/** Numbers that look random and are the same in every run (a linear congruence). */
function createRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * max);
  };
}

/** Cuts bytes into pieces of a size, or of random sizes that fit into a frame. */
function* cut(
  bytes: Uint8Array<ArrayBuffer>,
  size: number | "random",
  random: (max: number) => number,
): Generator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < bytes.byteLength;) {
    const end = start +
      (size === "random" ? 1 + random(MAX_FRAME_BYTES) : size);
    yield bytes.subarray(start, end);
    start = end;
  }
}

const ascii = new TextEncoder();

const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

/** The pieces in which an HTTP/1.1 client writes a body. */
async function write(
  connection: RawConnection,
  bytes: Uint8Array<ArrayBuffer>,
  { framing, writes, random }: {
    readonly framing: Framing;
    readonly writes: (typeof WRITES)[number];
    readonly random: (max: number) => number;
  },
): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  if (framing === "length") pieces.push(...cut(bytes, 1_460, random));
  else {
    for (const chunk of cut(bytes, framing, random)) {
      const size = ascii.encode(`${chunk.byteLength.toString(16)}\r\n`);
      const end = ascii.encode("\r\n");
      pieces.push(Uint8Array.of(...size, ...chunk, ...end));
    }
    pieces.push(ascii.encode("0\r\n\r\n"));
  }
  if (writes === "chunks") {
    for (const piece of pieces) await connection.send(piece);
    return;
  }
  const whole = await new Blob(pieces).bytes();
  if (writes === "one") return await connection.send(whole);
  // At most forty pauses: a slower client would rightly get 408.
  const share = whole.byteLength / 40;
  const size = Math.ceil(share * (1 + random(10)));
  for (const piece of cut(whole, size, random)) {
    await connection.send(piece);
    await pause();
  }
}

interface Received {
  readonly isOk: boolean;
  readonly body: string;
}

async function exchangeHttp1(
  port: number,
  { path, bytes }: Exchange,
  form: Parameters<typeof write>[2] & { readonly expects: boolean },
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
    const writing = ignoreClosed(write(connection, bytes, form));
    answer = await connection.receive();
    await writing;
  }
  return { isOk: answer.status === 200, body: answer.body };
}

/** Index of `:status: 200` in the static table (RFC 7541, appendix A), as a field. */
const STATUS_200 = 0x88;

const FIRST_WINDOW_BYTES = 65_535;

async function exchangeHttp2(
  port: number,
  { path, bytes }: Exchange,
  { frameSize, hasLength, random }: {
    readonly frameSize: number | "random";
    readonly hasLength: boolean;
    readonly random: (max: number) => number;
  },
): Promise<Received> {
  const windowBytes = 4 * MAX_BODY_BYTES;
  using client = await Http2Client.open(port, { windowBytes });
  // Everything about the one stream and its connection.
  let streamWindow = FIRST_WINDOW_BYTES;
  let connectionWindow = FIRST_WINDOW_BYTES;
  let isOk = false;
  let isOver = false;
  const body: Uint8Array<ArrayBuffer>[] = [];
  const acknowledgement = frame(FRAME.settings, FLAG.ack);
  function take(received: ReceivedFrame): boolean {
    const { type, flags, streamId, payload, isEnd } = received;
    const view = new DataView(payload.buffer, payload.byteOffset);
    if (type === FRAME.settings && flags === 0) {
      for (let i = 0; i < payload.byteLength; i += 6) {
        if (view.getUint16(i) !== 4) continue;
        streamWindow += view.getUint32(i + 2) - FIRST_WINDOW_BYTES;
      }
      client.send(acknowledgement);
    } else if (type === FRAME.windowUpdate) {
      if (streamId === 0) connectionWindow += view.getUint32(0);
      else streamWindow += view.getUint32(0);
    } else if (type === FRAME.headers) isOk = payload[0] === STATUS_200;
    else if (type === FRAME.data) body.push(payload);
    isOver = isEnd || type === FRAME.resetStream;
    return true;
  }
  const length = hasLength
    ? [["content-length", String(bytes.byteLength)] as const]
    : [];
  await client.send(
    ...client.request(path, { body: "", fields: length }),
    ...client.openWindow(windowBytes),
  );
  let left = bytes.byteLength;
  for (const payload of cut(bytes, frameSize, random)) {
    const window = () => Math.min(streamWindow, connectionWindow);
    const needed = payload.byteLength;
    while (!isOver && window() < needed) await client.receive(take);
    if (isOver) break;
    left -= needed;
    streamWindow -= needed;
    connectionWindow -= needed;
    const flags = left === 0 ? FLAG.endStream : 0;
    await client.send(frame(FRAME.data, flags, { streamId: 1, payload }));
  }
  while (!isOver) await client.receive(take);
  return { isOk, body: await new Blob(body).text() };
}

/** One row of the matrix. */
interface Row {
  readonly name: string;
  readonly length: number;
  readonly index: number;
  run(port: number, exchange: Exchange): Promise<Received>;
}

function* listRows(): Generator<Row> {
  let index = 0;
  for (const length of LENGTHS) {
    for (const framing of FRAMINGS) {
      if (framing === 7 && length > MAX_TINY_CHUNKS_BYTES) continue;
      for (const writes of WRITES) {
        const expects = Math.floor(index / OPERATIONS.length) % 2 === 1;
        const form = { framing, writes, expects, random: createRandom(index) };
        const name = `${framing}, written as ${writes}${
          expects ? ", expecting 100" : ""
        }`;
        const run = (port: number, exchange: Exchange) =>
          exchangeHttp1(port, exchange, form);
        yield { name, length, index, run };
        index += 1;
      }
    }
    for (const frameSize of FRAME_SIZES) {
      const hasLength = Math.floor(index / OPERATIONS.length) % 2 === 1;
      const form = { frameSize, hasLength, random: createRandom(index) };
      const name = `HTTP/2 frames of ${frameSize}${
        hasLength ? ", with a length" : ""
      }`;
      const run = (port: number, exchange: Exchange) =>
        exchangeHttp2(port, exchange, form);
      yield { name, length, index, run };
      index += 1;
    }
  }
}

/** What is wrong with an answer, undefined where nothing is. */
function findFault(
  { isOk, body }: Received,
  { bytes, expected }: Exchange,
): string | undefined {
  if (bytes.byteLength <= MAX_BODY_BYTES) {
    if (!isOk) return body.slice(0, 200);
    const answer = JSON.stringify(JSON.parse(body));
    return isDeepEqual(answer, expected) ? undefined : body.slice(0, 200);
  }
  const isRefused = !isOk && body.includes(String(MAX_BODY_BYTES));
  return isRefused ? undefined : `not refused as too large: ${body}`;
}

function isDeepEqual(text: string, expected: unknown): boolean {
  const sort = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted())
      : value;
  return JSON.stringify(JSON.parse(text), sort) ===
    JSON.stringify(expected, sort);
}

/**
 * Sends every n-th exchange of the matrix, several at a time. Returns how many
 * there were, and a line for each that was not answered as it must be.
 */
export async function runMatrix(
  { port }: { readonly port: number },
  { every = 1 }: { readonly every?: number } = {},
): Promise<{ count: number; failures: string[] }> {
  const rows = [...listRows()].filter(({ index }) => index % every === 0);
  const failures: string[] = [];
  const waiting = rows.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    for (const { name, length, index, run } of waiting) {
      const exchange = createExchange(index, length);
      const fault = await run(port, exchange)
        .then((received) => findFault(received, exchange), String);
      if (fault === undefined) continue;
      failures.push(`${exchange.path}, ${length} bytes, ${name}: ${fault}`);
    }
  }));
  return { count: rows.length, failures };
}
