/** Receives the bodies of requests, within limits of size, time and memory. */

import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { formatValue } from "../format_value.ts";
import { HttpError } from "./http_error.ts";
import {
  type Budget,
  createBusyError,
  MIN_RATE,
  Transfer,
} from "../load/budget.ts";
import type { Load } from "../load/load.ts";
import type { Bytes } from "./answer.ts";
import { BodyReader } from "./body_reader.ts";

/** Largest body or result that counts as small, in bytes, inclusive. */
export const SMALL_BYTES = 32 * 1024;

/**
 * Largest body that is read in one piece, in bytes, inclusive. For such a read, Deno takes
 * all the memory at once, and it cannot be aborted.
 */
const MAX_WHOLE_BYTES = 128 * 1024;

/** Largest number of chunks that have fewer than `MIN_CHUNK_BYTES` on average. */
const MAX_SMALL_CHUNKS = 16_384;
const MIN_CHUNK_BYTES = 16;
const CHUNKS_MESSAGE =
  `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`;

/** Number of chunks after which other requests are answered. */
const CHUNKS_PER_TURN = 16;

/** Time from a response until the rest of its request is refused, in milliseconds. */
const CLOSE_DELAY_MS = 50;

/** Information about a request from `Deno.serve`; other servers may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be sent. */
  readonly completed?: Promise<void>;
}

/** A request, and what it shares with all others of its thread. */
export interface Exchange {
  readonly request: Request;
  readonly info: ServeInfo | undefined;
  readonly load: Load;
  /** Whether nothing else uses the request, such as a clone of it. */
  readonly isOwned: boolean;
}

/**
 * Reads the length of a body from the headers; `undefined` if they do not guarantee it.
 *
 * @throws {HttpError} 413 for a body above the limit, 415 for a compressed body.
 */
export function readLength(
  { request: { headers }, info, load }: Exchange,
): number | undefined {
  checkContentCoding(headers.get("content-encoding"));
  const length = headers.get("content-length");
  if (Number(length) > load.maxBodyBytes) throw createSizeError(load);
  // Only `Deno.serve` makes sure that a body has its `Content-Length`; Deno 2.5 does not if
  // there is a `Transfer-Encoding`, too.
  const isCertain = length !== null && info?.completed !== undefined &&
    headers.get("transfer-encoding") === null;
  return isCertain ? Number(length) : undefined;
}

/**
 * Checks that a body is not compressed: `Content-Encoding` must be absent or `identity`, in
 * any case (RFC 9110, section 8.4.1).
 */
function checkContentCoding(header: string | null): void {
  if (header === null) return;
  const codings = header.split(",").map((name) => name.trim().toLowerCase());
  if (codings.every((name) => name === "" || name === "identity")) return;
  throw new HttpError(
    415,
    `the Content-Encoding header must be "identity" or absent, got ${
      formatValue(header)
    }`,
    { "accept-encoding": "identity" },
  );
}

/**
 * Whether a body can be received in one piece: its length must be known, and a client that
 * sends 64 KiB/s must be in time.
 */
export function isWhole(
  length: number | undefined,
  { deadlines }: Load,
): length is number {
  const inTime = MIN_RATE * deadlines.timeoutMs / 1_000;
  return length !== undefined && length <= Math.min(MAX_WHOLE_BYTES, inTime);
}

/**
 * Receives a body in one piece.
 *
 * @param reading The result of `request.bytes()`.
 * @throws {HttpError} 408 if it arrives too late, 400 if it breaks off.
 */
export function receiveWhole(
  reading: Promise<Bytes>,
  { deadlines }: Load,
): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const transfer = new Transfer();
    // Deno adds `Connection: close` itself.
    transfer.abort = ({ status, message }) =>
      reject(new HttpError(status, message));
    transfer.start = performance.now();
    deadlines.add(transfer);
    reading.then((body) => {
      deadlines.delete(transfer);
      resolve(body);
    }, () => {
      deadlines.delete(transfer);
      reject(createBrokenError());
    });
  });
}

/**
 * Receives a body in chunks: one that is large or of unknown length. While there is no room
 * for it, it is not read; over HTTP/2, where an unread body would block its connection, it
 * is read and dropped.
 *
 * @param transfer Gets the bytes that are reserved for the body; the caller releases them.
 * @param length Length of the body in bytes, if it is known.
 * @throws {HttpError} 413 for a body above the limit, 408 for one that arrives too late, 503
 * if there is no room, 400 for one that breaks off or comes in too many small chunks.
 */
export async function receiveChunks(
  { request, info, load }: Exchange,
  transfer: Transfer,
  length: number | undefined,
): Promise<Bytes> {
  const { body } = request;
  if (body === null) return new Uint8Array();
  const { budget, deadlines, maxBodyBytes } = load;
  const reader = new BodyReader(body, length ?? maxBodyBytes);
  let needed = length ?? 0;
  let error: HttpError | undefined;
  let hasSmallChunks = false;
  transfer.abort = (reason) => {
    error ??= reason;
    reader.cancel();
  };
  deadlines.add(transfer);
  try {
    // Reading ends with a known length: a pending read would keep the connection open.
    for (let chunks = 0; transfer.moved !== length || reader.isDropped;) {
      // A body in `others` reserves nothing more until its buffer is full.
      const isAside = transfer.share === budget.others && !reader.isFull;
      if (needed > transfer.reserved && !isAside && !reader.isDropped) {
        const hasRoom = await reserve(transfer, needed, { request, budget });
        if (!hasRoom) reader.drop();
      }
      if (transfer.start === Infinity) transfer.start = performance.now();
      const added = await reader.read()
        .catch(() => Promise.reject(error ?? createBrokenError()));
      if (error !== undefined) throw error;
      if (added === undefined) break;
      transfer.moved += added;
      transfer.held = reader.capacity;
      transfer.idleChecks = 0;
      if (transfer.moved > maxBodyBytes) throw createSizeError(load);
      // A body of unknown length may become as large as the limit.
      const isUnknown = length === undefined;
      if (isUnknown && transfer.moved > SMALL_BYTES) needed = maxBodyBytes;
      chunks += 1;
      hasSmallChunks = chunks > MAX_SMALL_CHUNKS &&
        transfer.moved < MIN_CHUNK_BYTES * chunks;
      if (hasSmallChunks) {
        throw new HttpError(400, CHUNKS_MESSAGE, { connection: "close" });
      }
      if (chunks % CHUNKS_PER_TURN === 0) await setImmediate();
    }
    if (reader.isDropped) throw createBusyError();
    // A body that is shorter than expected gives back what it does not need.
    if (transfer.reserved > transfer.moved) {
      budget.release(transfer, transfer.moved);
    }
    return reader.bytes;
  } finally {
    deadlines.delete(transfer);
    // From now on the client waits for the service.
    transfer.start = Infinity;
    if (hasSmallChunks) cancelAfterResponse(reader, info);
    else reader.cancel();
  }
}

/**
 * Reserves bytes for a body, so that it has `needed`. Returns false if there is no room and
 * the body cannot wait.
 */
async function reserve(
  transfer: Transfer,
  needed: number,
  { request, budget }: { request: Request; budget: Budget },
): Promise<boolean> {
  const bytes = needed - transfer.reserved;
  // Requests over HTTP/2 have no Host header; Deno does not tell the version.
  if (request.headers.has("host")) {
    const { signal } = request;
    await budget.reserve(budget.bodies, transfer, { bytes, signal });
    return true;
  }
  return budget.tryReserve(budget.others, transfer, bytes);
}

/**
 * Refuses the rest of a body after the response, which closes the connection: otherwise
 * Deno would read the rest, for up to two minutes.
 */
function cancelAfterResponse(
  reader: BodyReader,
  info: ServeInfo | undefined,
): void {
  const cancel = () => delay(CLOSE_DELAY_MS).then(() => reader.cancel());
  info?.completed?.then(cancel, cancel);
}

function createSizeError({ maxBodyBytes }: Load): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

function createBrokenError(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}
