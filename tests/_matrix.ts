/**
 * Ordinary clients: valid requests of many lengths, sent in many ways, with answers that
 * are computed without the service.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { connect } from "node:http2";
import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { ignoreClosed, RawConnection } from "./_connection.ts";

/** Default of the largest request body, in bytes. */
const MAX_BODY_BYTES = 1_048_576;

/** Number of concurrent exchanges. */
const CONCURRENCY = 8;

const LENGTHS = [
  200,
  2_000,
  ...[32_768, 65_536, 131_072, MAX_BODY_BYTES].flatMap((length) =>
    [-1, 0, 1].map((difference) => length + difference)
  ),
];

/** The ways to send a body: whole, or in pieces of a size in bytes, of a random one for 0. */
const FORMS = [
  ["with its length", Infinity, "one write"],
  ["with its length", 1_460, "many writes"],
  ["with its length", 30_000, "writes with pauses"],
  ["in chunks", 7, "one write"],
  ["in chunks", 100, "one write"],
  ["in chunks", 1_000, "many writes"],
  ["in chunks", 4_096, "writes with pauses"],
  ["in chunks", 16_384, "many writes"],
  ["in chunks", 32_768, "one write"],
  ["in chunks", 65_536, "writes with pauses"],
  ["in chunks", 0, "one write"],
  ["in chunks", 0, "writes with pauses"],
  ["over HTTP/2", 100, "many writes"],
  ["over HTTP/2", 4_096, "many writes"],
  ["over HTTP/2", 16_384, "many writes"],
  ["over HTTP/2", 0, "many writes"],
] as const;

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

/** Paths, each with the body and the answer of a request with some text. */
const OPERATIONS: readonly (readonly [
  path: string,
  createBody: (text: string) => object,
  createAnswer: (text: string) => object,
])[] = [
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

/** Cuts bytes into pieces of a size; with 0, of sizes that are the same in every run. */
function* cut(bytes: Uint8Array<ArrayBuffer>, size: number) {
  const { length } = bytes;
  for (let start = 0, end; start < length; start = end) {
    end = start + (size || 1 + (start * 48_271 + length) % 16_384);
    yield bytes.subarray(start, end);
  }
}

/** Sends a body over HTTP/1.1; with `expects`, after an answer to `Expect: 100-continue`. */
async function sendHttp1(
  port: number,
  { path, bytes }: Exchange,
  [framing, size, writes]: (typeof FORMS)[number],
  expects: boolean,
): Promise<string> {
  using connection = await RawConnection.open({ port });
  const isChunked = framing === "in chunks";
  const length = isChunked
    ? "Transfer-Encoding: chunked"
    : `Content-Length: ${bytes.length}`;
  const expect = expects ? "Expect: 100-continue" : "Accept: */*";
  await connection.send(
    `POST ${path} HTTP/1.1\r\nHost: h\r\n${length}\r\n${expect}\r\n\r\n`,
  );
  if (expects) {
    const { status, body } = await connection.receive();
    if (status !== 100) return body;
  }
  const pieces = [...cut(bytes, size)].map((piece) =>
    isChunked
      ? Buffer.concat([
        Buffer.from(`${piece.length.toString(16)}\r\n`),
        piece,
        Buffer.from("\r\n"),
      ])
      : piece
  );
  if (isChunked) pieces.push(Buffer.from("0\r\n\r\n"));
  const sending = ignoreClosed((async () => {
    if (writes === "one write") {
      return await connection.send(await new Blob(pieces).bytes());
    }
    for (const piece of pieces) {
      await connection.send(piece);
      if (writes === "many writes") continue;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })());
  const { body } = await connection.receive();
  await sending;
  return body;
}

/** Sends a body over HTTP/2, with its length or without. */
async function sendHttp2(
  port: number,
  { path, bytes }: Exchange,
  [, size]: (typeof FORMS)[number],
  hasLength: boolean,
): Promise<string> {
  const session = connect(`http://127.0.0.1:${port}`);
  const length = hasLength ? { "content-length": bytes.length } : {};
  const headers = { ":method": "POST", ":path": path, ...length };
  const stream = session.request(headers);
  Readable.from(cut(bytes, size)).pipe(stream);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of stream) parts.push(part);
  const closed = Promise.withResolvers<void>();
  session.close(() => closed.resolve());
  await closed.promise;
  return await new Blob(parts).text();
}

/** Whether the response is the expected one, or the error of a body that is too large. */
function isRight(text: string, { bytes, expected }: Exchange): boolean {
  return bytes.byteLength > MAX_BODY_BYTES
    ? text.includes(`the body must be at most ${MAX_BODY_BYTES} bytes`)
    : isDeepStrictEqual(JSON.parse(text), expected);
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
    FORMS.filter(([, size]) => size !== 7 || length <= 40_000)
      .map((form) => ({ length, form }))
  ).map((row, index) => ({ ...row, index }))
    .filter(({ index }) => index % every === 0);
  const failures: string[] = [];
  const waiting = rows.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    for (const { length, index, form } of waiting) {
      const exchange = createExchange(index, length);
      const isOdd = Math.floor(index / 4) % 2 === 1;
      const send = form[0] === "over HTTP/2" ? sendHttp2 : sendHttp1;
      const text = await send(port, exchange, form, isOdd)
        .catch((error) => JSON.stringify(String(error)));
      if (isRight(text, exchange)) continue;
      const name = [exchange.path, length, ...form, isOdd].join(", ");
      failures.push(`${name}: answered with ${text.slice(0, 200)}`);
    }
  }));
  return { count: rows.length, failures };
}
