/** Receives the body of a request. */

import { HttpError, toHttpError } from "../http/answer.ts";
import {
  BrokenBodyError,
  createSizeError,
  NO_BODY,
  readLength,
  type ServeInfo,
  SMALL_BYTES,
  toReadError,
} from "../http/body.ts";
import { LoadError } from "../operation/operation.ts";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import { BodyReader, MIN_VIEW_BYTES } from "./body_reader.ts";
import { type Limits, WHOLE_BYTES } from "./limits.ts";
import type { Transfer } from "./transfer.ts";

/**
 * Largest view into which a body above 256 KiB is read, in bytes; others get one of up to 64
 * KiB, which saves time. Deno keeps two to three times as many bytes for each connection.
 */
const MAX_VIEW_BYTES = 32 * 1024;

/** A request, and the transfer of its body, for which memory is reserved. */
interface Upload {
  readonly request: Request;
  readonly info: ServeInfo;
  readonly transfer: Transfer;
  readonly limits: Limits;
}

/**
 * Receives a whole body. The memory of a body above 64 KiB stays reserved for the transfer.
 *
 * @throws {HttpError} 400, 408, 413, 415 or 501 if the body cannot be received.
 * @throws {LoadError} if there is no memory for the body, the client disconnects while the
 * body waits for memory, or the service stops before the body has come.
 * @throws {RangeError} if there is no memory for a buffer.
 */
export async function receiveBody(upload: Upload): Promise<Bytes> {
  const { transfer, limits } = upload;
  const { deadlines, isStopping, maxBodyBytes } = limits;
  const length = readLength(upload.request, maxBodyBytes);
  transfer.startClock();
  deadlines.add(transfer);
  try {
    const body = length !== undefined && length <= SMALL_BYTES
      ? await receiveSmall(upload, length)
      : await receiveLarge(upload, length);
    const { byteLength } = body;
    checkSize(byteLength, length, maxBodyBytes);
    if (byteLength < (length ?? 0)) throw new BrokenBodyError();
    return body;
  } catch (error) {
    // When the service stops, Deno cuts off the bodies that are still coming.
    const isCutOff = error instanceof BrokenBodyError && isStopping();
    throw isCutOff ? new LoadError("busy") : error;
  } finally {
    deadlines.delete(transfer);
    transfer.stopClock();
  }
}

/**
 * Checks the number of bytes that have come.
 *
 * @throws {HttpError} 413 if they are more than `maxBodyBytes`, 400 if they are more than
 * were announced.
 */
function checkSize(
  bytes: number,
  length: number | undefined,
  maxBodyBytes: number,
): void {
  if (bytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
  if (length === undefined || bytes <= length) return;
  const rule = `the body must have the ${length} bytes of its Content-Length`;
  throw new HttpError(400, `${rule}, got more`);
}

/**
 * Receives a body of known length, of up to 64 KiB, in one read. The inner functions must
 * not use `request`: `transfer.abort` would then keep it in memory for as long as the
 * garbage collector keeps the transfer.
 */
function receiveSmall(
  { request, transfer }: Upload,
  length: number,
): Promise<Bytes> {
  // Deno does not tell how many bytes have come, so all count as received. The body may
  // take `bodyTimeoutMs`, or the time that its length takes at 64 KiB/s (at most 1 s),
  // whichever is longer.
  transfer.moved = length;
  const reading = request.bytes();
  return new Promise((resolve, reject) => {
    // The response with this error needs no `Connection: close` from the service: Deno
    // adds it to a response that is sent before the body has come.
    transfer.abort = reject;
    reading.then(resolve, (error) => reject(toReadError(error)));
  });
}

/** Receives a body above 64 KiB, or of unknown length, chunk by chunk. */
async function receiveLarge(
  upload: Upload,
  length: number | undefined,
): Promise<Bytes> {
  const { request, info, transfer, limits: { bodies } } = upload;
  if (request.body === null) return NO_BODY;
  const reader = new BodyReader(request.body);
  transfer.abort = (error) => {
    reader.abort(withClose(error));
    bodies.release(transfer);
  };
  try {
    return await readAll(upload, reader, length);
  } finally {
    reader.close(info.completed);
  }
}

/** Returns the `HttpError` for an error, with a header that closes the connection. */
function withClose(error: Error): HttpError {
  const { status, message, headers } = toHttpError(error);
  return new HttpError(status, message, { ...headers, connection: "close" });
}

/**
 * Reads a body into a buffer of 64 KiB, until there is memory for the whole of it; then
 * copies what has come, and each further chunk. Memory that is free is taken for a body of
 * known length as soon as it begins to come. The body waits for memory only when more than
 * 64 KiB have come: a client that stalls before has no place in the queue.
 */
async function readAll(
  upload: Upload,
  reader: BodyReader,
  length: number | undefined,
): Promise<Bytes> {
  const { transfer, limits: { bodies, maxBodyBytes } } = upload;
  const size = length ?? maxBodyBytes;
  const viewBytes = size > WHOLE_BYTES ? MAX_VIEW_BYTES : SMALL_BYTES;
  let piece = new ArrayBuffer(SMALL_BYTES + MIN_VIEW_BYTES);
  let body: Bytes | undefined;
  let isDropped = false;
  try {
    // Stops at a known length, without a read that would find the end of the stream: a read
    // that is pending keeps the connection open.
    while (transfer.moved !== length) {
      const start = body !== undefined || isDropped ? 0 : transfer.moved;
      const free = Math.min(viewBytes, piece.byteLength - start);
      const chunk = await reader.read(new Uint8Array(piece, start, free));
      piece = chunk.buffer;
      if (chunk.byteLength === 0) break;
      const end = transfer.moved + chunk.byteLength;
      checkSize(end, length, maxBodyBytes);
      if (body !== undefined) body.set(chunk, transfer.moved);
      else if (!isDropped) {
        const isReserved = end > SMALL_BYTES
          ? await reserve(upload, size)
          : length !== undefined && bodies.tryReserve(transfer, size);
        if (isReserved) {
          body = new Uint8Array(size);
          body.set(new Uint8Array(piece, 0, end));
        } else isDropped = end > SMALL_BYTES;
      }
      transfer.moved = end;
    }
    if (isDropped) throw new LoadError("busy");
    if (body === undefined) return new Uint8Array(piece, 0, transfer.moved);
    freeBuffer(piece);
    return body.subarray(0, transfer.moved);
  } catch (error) {
    freeBuffer(piece);
    if (body !== undefined) freeBuffer(body.buffer);
    throw error;
  }
}

/**
 * Waits until memory is reserved for a body. Returns `false` if there is none and the body
 * must not wait: over HTTP/2, where requests have no `Host`, an unread body blocks the
 * other requests of its connection. Such a body has to be read to its end, and dropped.
 *
 * @throws {LoadError} if the wait is in vain.
 */
async function reserve(
  { request, transfer, limits: { bodies } }: Upload,
  bytes: number,
): Promise<boolean> {
  if (bodies.tryReserve(transfer, bytes)) return true;
  if (!request.headers.has("host")) return false;
  transfer.stopClock();
  await bodies.reserve(transfer, bytes, request);
  transfer.startClock();
  return true;
}
