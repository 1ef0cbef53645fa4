/**
 * The client matrix: valid requests in all combinations of protocol and pieces, with
 * expected results that are computed without the service.
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

/** Default of the largest request body, in bytes. */
const MAX_BODY_BYTES = 1_048_576;

/** Largest frame that HTTP/2 allows before more is agreed upon, in bytes. */
const MAX_FRAME_BYTES = 16_384;

/** Number of concurrent exchanges. */
const CONCURRENCY = 8;

const LENGTHS = [
  200,
  2_000,
  ...[32_768, 65_536, 131_072, MAX_BODY_BYTES].flatMap((length) =>
    [-2, -1, 0, 1, 2].map((difference) => length + difference)
  ),
];

/** Size of each piece, in bytes, or random sizes. */
type PieceSize = number | "random";

/** How a body is sent. */
interface Form {
  /** With its length, in chunks of a size, or in frames of a size. */
  readonly framing: PieceSize | "length";
  readonly writes: string;
  /** HTTP/1.1: whether `Expect: 100-continue` is sent. HTTP/2: whether `Content-Length` is. */
  readonly isOdd: boolean;
}

const FRAMINGS: readonly (PieceSize | "length")[] = [
  "length",
  "random",
  ...[7, 100, 1_000, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536],
];

const FORMS: readonly (readonly [PieceSize | "length", string])[] = [
  ...FRAMINGS.flatMap((framing) =>
    ["one write", "many writes", "writes with pauses"]
      .map((writes) => [framing, writes] as const)
  ),
  ...[100, 1_024, 4_096, MAX_FRAME_BYTES, "random" as const]
    .map((size) => [size, "HTTP/2 frames"] as const),
];

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
  const result = createHash(algorithm).update(text).digest("hex");
  return { result, algorithm };
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
];

/** A request with a body of a given length, and the expected response. */
interface Exchange {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly expected: object;
}

/** A text whose length does not divide the size of a buffer. */
const FILLER = "The quick brown fox jumps over the lazy dog. ";

/** Makes the request of an operation with a body of an exact length. */
export function createExchange(index: number, length: number): Exchange {
  const [path, createBody, createAnswer] =
    OPERATIONS[index % OPERATIONS.length]!;
  const encode = (text: string) =>
    new TextEncoder().encode(JSON.stringify(createBody(text)));
  const room = length - encode("").byteLength;
  const text = FILLER.repeat(Math.ceil(room / FILLER.length)).slice(0, room);
  return { path, bytes: encode(text), expected: createAnswer(text) };
}

/** Cuts bytes into pieces; random sizes are the same in every run. */
function* cut(
  bytes: Uint8Array<ArrayBuffer>,
  size: PieceSize,
): Generator<Uint8Array<ArrayBuffer>> {
  const { length } = bytes;
  for (let start = 0, end; start < length; start = end) {
    end = start +
      (size === "random" ? 1 + (start * 48_271 + length) % 16_384 : size);
    yield bytes.subarray(start, end);
  }
}

interface Received {
  readonly isOk: boolean;
  readonly body: string;
}

async function exchangeHttp1(
  port: number,
  { path, bytes }: Exchange,
  { framing, writes, isOdd }: Form,
): Promise<Received> {
  using connection = await RawConnection.open({ port });
  const headers = [
    framing === "length"
      ? `Content-Length: ${bytes.length}`
      : "Transfer-Encoding: chunked",
    isOdd ? "Expect: 100-continue" : "Accept: */*",
  ];
  await connection.send(
    `POST ${path} HTTP/1.1\r\nHost: h\r\n${headers.join("\r\n")}\r\n\r\n`,
  );
  let answer = isOdd ? await connection.receive() : undefined;
  if (answer === undefined || answer.status === 100) {
    const pieces = [...frameBody(bytes, framing)];
    const sending = ignoreClosed(sendPieces(connection, pieces, writes));
    answer = await connection.receive();
    await sending;
  }
  return { isOk: answer.status === 200, body: answer.body };
}

function* frameBody(
  bytes: Uint8Array<ArrayBuffer>,
  framing: PieceSize | "length",
): Generator<string | Uint8Array<ArrayBuffer>> {
  if (framing === "length") return yield* cut(bytes, 1_460);
  for (const chunk of cut(bytes, framing)) {
    yield `${chunk.length.toString(16)}\r\n`;
    yield chunk;
    yield "\r\n";
  }
  yield "0\r\n\r\n";
}

async function sendPieces(
  connection: RawConnection,
  pieces: readonly (string | Uint8Array<ArrayBuffer>)[],
  writes: string,
): Promise<void> {
  if (writes === "many writes") {
    for (const piece of pieces) await connection.send(piece);
    return;
  }
  const whole = await new Blob([...pieces]).bytes();
  if (writes === "one write") return await connection.send(whole);
  // At most 40 pauses, so that the body arrives before its deadline.
  const size = Math.ceil(whole.length / 40) * (1 + whole.length % 10);
  for (const piece of cut(whole, size)) {
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
  { framing, isOdd }: Form,
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
  const fields = isOdd
    ? [["content-length", String(bytes.length)] as const]
    : [];
  await client.send(
    ...client.request(path, { body: "", fields }),
    ...client.openWindow(windowBytes),
  );
  let left = bytes.length;
  for (const payload of cut(bytes, framing as PieceSize)) {
    const { length } = payload;
    const isOpen = () => Math.min(streamWindow, connectionWindow) >= length;
    while (!isOver && !isOpen()) await client.receive(take);
    if (isOver) break;
    left -= length;
    streamWindow -= length;
    connectionWindow -= length;
    const flags = left === 0 ? FLAG.endStream : 0;
    await client.send(frame(FRAME.data, flags, { streamId: 1, payload }));
  }
  while (!isOver) await client.receive(take);
  return { isOk, body: await new Blob(body).text() };
}

/** Describes a wrong response; `undefined` for a correct one. */
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
 * Sends every n-th exchange of the matrix, several concurrently. Returns their number,
 * and a line for each wrong response.
 */
export async function runMatrix(
  { port }: { readonly port: number },
  { every = 1 }: { readonly every?: number } = {},
): Promise<{ count: number; failures: string[] }> {
  // In chunks of 7 bytes, only bodies of up to 40,000 bytes are sent.
  const rows = LENGTHS.flatMap((length) =>
    FORMS.filter(([framing]) => framing !== 7 || length <= 40_000)
      .map(([framing, writes]) => ({ length, framing, writes }))
  ).map((row, index) => ({ ...row, index }))
    .filter(({ index }) => index % every === 0);
  const failures: string[] = [];
  const waiting = rows.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    for (const { length, index, framing, writes } of waiting) {
      const exchange = createExchange(index, length);
      const form = { framing, writes, isOdd: Math.floor(index / 4) % 2 === 1 };
      const run = writes === "HTTP/2 frames" ? exchangeHttp2 : exchangeHttp1;
      const fault = await run(port, exchange, form)
        .then((received) => findFault(received, exchange), String);
      if (fault === undefined) continue;
      const name = [exchange.path, length, ...Object.values(form)].join(", ");
      failures.push(`${name}: ${fault}`);
    }
  }));
  return { count: rows.length, failures };
}
