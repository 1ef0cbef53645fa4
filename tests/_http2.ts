/** HTTP/2 frames as bytes (RFC 9113): requests with headers that no client would send. */

import { Buffer } from "node:buffer";
import { RawConnection } from "./_connection.ts";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** Types of frames (section 6). */
const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const GOAWAY = 7;

const END_STREAM = 1;
const END_HEADERS = 4;

const FRAME_HEAD_BYTES = 9;

function toFrame(
  type: number,
  flags: number,
  { stream = 0, payload = Buffer.alloc(0) } = {},
): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Writes a header as a literal, not indexed and not compressed (RFC 7541, section 6.2.2). */
function toLiteral([name, value]: readonly [string, string]): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name, "latin1"),
    Buffer.from([value.length]),
    Buffer.from(value, "latin1"),
  ]);
}

interface Http2Request {
  readonly path: string;
  /** Other headers, with lowercase names, which can repeat. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body: string;
}

/**
 * Sends a POST on a new connection, and returns the response body; `""` if the server
 * rejects the request as malformed.
 */
export async function postHttp2(
  server: { readonly port: number },
  { path, headers = [], body }: Http2Request,
): Promise<string> {
  const all = [
    [":method", "POST"],
    [":scheme", "http"],
    [":authority", "h"],
    [":path", path],
    ...headers,
  ] as const;
  const head = Buffer.concat(all.map(toLiteral));
  const payload = Buffer.from(body);
  using connection = await RawConnection.open(server);
  const request = Buffer.concat([
    Buffer.from(PREFACE),
    toFrame(SETTINGS, 0),
    toFrame(HEADERS, END_HEADERS, { stream: 1, payload: head }),
    toFrame(DATA, END_STREAM, { stream: 1, payload }),
  ]);
  await connection.send(request);
  return await receiveBody(connection);
}

async function receiveBody(connection: RawConnection): Promise<string> {
  for (let text = "";;) {
    const { type, flags, payload } = await receiveFrame(connection);
    if (type === RST_STREAM || type === GOAWAY) return "";
    if (type === DATA) text += payload;
    if (type <= HEADERS && (flags & END_STREAM) !== 0) return text;
  }
}

async function receiveFrame(
  connection: RawConnection,
): Promise<{ type: number; flags: number; payload: string }> {
  const head = await connection.take(FRAME_HEAD_BYTES);
  const bytes = Buffer.from(head, "latin1");
  const payload = await connection.take(bytes.readUIntBE(0, 3));
  return { type: bytes[3]!, flags: bytes[4]!, payload };
}
