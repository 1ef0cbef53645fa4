/** Receives the body of a request. */

import { HttpError, toHttpError } from "../http/answer.ts";
import {
  BrokenBodyError,
  createSizeError,
  NO_BODY,
  readLength,
  SMALL_BYTES,
  toReadError,
} from "../http/body.ts";
import { LoadError } from "../operation/context.ts";
import { WHOLE_BYTES } from "../operation/result.ts";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import { BodyReader, MIN_VIEW_BYTES } from "./body_reader.ts";
import type { Exchange } from "./shared_state.ts";
import { Transfer } from "./transfer.ts";

/**
 * Largest view into which a body above 256 KiB is read, in bytes; others get one of up to 64
 * KiB, which saves time. Deno keeps two to three times as many bytes for each connection.
 */
const MAX_VIEW_BYTES = 32 * 1024;

/** A body that comes, and its transfer, for which memory is reserved. */
interface Upload extends Exchange {
  readonly transfer: Transfer;
}

/** A body that has come. */
class ReceivedBody {
  constructor(
    readonly bytes: Bytes,
    readonly upload: Upload,
  ) {}

  /** Frees the bytes, which must not be used any more. */
  freeBytes(): void {
    freeBuffer(this.bytes.buffer);
  }

  /** Frees the bytes, and gives back the memory that is reserved for them. */
  release(): void {
    this.freeBytes();
    const { shared, transfer } = this.upload;
    shared.bodies.release(transfer);
  }
}

/**
 * Receives a whole body, which has to be released when its answer is made.
 *
 * @throws {HttpError} 400, 408, 413, 415 or 501 if the body cannot be received.
 * @throws {LoadError} if there is no memory for the body, the client disconnects while the
 * body waits for memory, or the service stops before the body has come.
 * @throws {RangeError} if there is no memory for a buffer.
 */
export async function receiveBody(
  { request, info, shared }: Exchange,
): Promise<ReceivedBody> {
  const { bodies, deadlines, isStopping, maxBodyBytes } = shared;
  const length = readLength(request, maxBodyBytes);
  const transfer = new Transfer();
  const upload = { request, info, transfer, shared };
  transfer.startClock();
  deadlines.add(transfer);
  try {
    const body = length !== undefined && length <= SMALL_BYTES
      ? await receiveSmall(upload, length)
      : await receiveLarge(upload, length);
    const { byteLength } = body;
    checkSize(byteLength, length, maxBodyBytes);
    if (byteLength < (length ?? 0)) throw new BrokenBodyError();
    return new ReceivedBody(body, upload);
  } catch (error) {
    bodies.release(transfer);
    // When the service stops, Deno cuts off the bodies that are still coming.
    const isCutOff = error instanceof BrokenBodyError && isStopping();
    throw isCutOff ? new LoadError("stopping") : error;
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
 * not use `request`: `transfer` would then keep it in memory for as long as the
 * garbage collector keeps the transfer.
 */
function receiveSmall(
  { request, transfer }: Upload,
  length: number,
): Promise<Bytes> {
  // Deno does not tell how many bytes have come, so all count as received. The body may
  // take `bodyTimeoutMs`, or the time that its length takes at 64 KiB/s (at most 1 s),
  // whichever is longer.
  transfer.advance(length);
  const reading = request.bytes();
  return new Promise((resolve, reject) => {
    // The response with this error needs no `Connection: close` from the service: Deno
    // adds it to a response that is sent before the body has come.
    transfer.onAbort(reject);
    reading.then(resolve, (error) => reject(toReadError(error)));
  });
}

/** A body above 64 KiB, or of unknown length, that is read chunk by chunk. */
interface LargeUpload extends Upload {
  readonly reader: BodyReader;
  /** Announced length, in bytes; `undefined` if none is. */
  readonly length: number | undefined;
  /** Length of the buffer for the whole body, in bytes: `length`, or the longest one. */
  readonly size: number;
}

/** Receives a body above 64 KiB, or of unknown length, chunk by chunk. */
async function receiveLarge(
  upload: Upload,
  length: number | undefined,
): Promise<Bytes> {
  const { request, info, transfer, shared: { bodies, maxBodyBytes } } = upload;
  if (request.body === null) return NO_BODY;
  const reader = new BodyReader(request.body);
  transfer.onAbort((error) => {
    reader.abort(withClose(error));
    bodies.release(transfer);
  });
  const size = length ?? maxBodyBytes;
  try {
    return await readAll({ ...upload, reader, length, size });
  } finally {
    reader.close(info.completed);
  }
}

/** Returns the `HttpError` for an error, with a header that closes the connection. */
function withClose(error: Error): HttpError {
  const { status, message, headers } = toHttpError(error);
  return new HttpError(status, message, { ...headers, connection: "close" });
}

/** Reads a body: its start into a small buffer, the rest when there is memory for it. */
async function readAll(upload: LargeUpload): Promise<Bytes> {
  const { bytes, next } = await readStart(upload);
  if (next === "return") return bytes;
  if (next === "drop") {
    await readRest(upload, bytes.buffer);
    throw new LoadError(upload.shared.isStopping() ? "stopping" : "busy");
  }
  const body = new Uint8Array(upload.size);
  try {
    body.set(bytes);
    await readRest(upload, bytes.buffer, body);
    return body.subarray(0, upload.transfer.moved);
  } catch (error) {
    freeBuffer(body.buffer);
    throw error;
  }
}

/** The start of a body. */
interface Start {
  readonly bytes: Bytes;
  /**
   * `return` if this is the whole body, `keep` if memory is reserved for the whole, `drop` if
   * there is no memory, but the rest must be read.
   */
  readonly next: "return" | "keep" | "drop";
}

/**
 * Reads the start of a body, until there is memory for the whole. Memory that is free is
 * taken for a body of known length as soon as it begins to come. The body waits for memory
 * only when more than 64 KiB have come: a client that stalls before has no place in the
 * queue.
 */
async function readStart(upload: LargeUpload): Promise<Start> {
  const { transfer, shared: { bodies }, length, size } = upload;
  const viewBytes = getViewBytes(upload);
  let buffer = new ArrayBuffer(SMALL_BYTES + MIN_VIEW_BYTES);
  try {
    for (;;) {
      const { moved } = transfer;
      const free = Math.min(viewBytes, buffer.byteLength - moved);
      const view = new Uint8Array(buffer, moved, free);
      const chunk = await readChunk(upload, view);
      buffer = chunk.buffer;
      const bytes = new Uint8Array(buffer, 0, transfer.moved);
      if (chunk.byteLength === 0) return { bytes, next: "return" };
      if (transfer.moved > SMALL_BYTES) {
        return { bytes, next: await waitForMemory(upload) };
      }
      if (length !== undefined && bodies.tryReserve(transfer, size)) {
        return { bytes, next: "keep" };
      }
    }
  } catch (error) {
    freeBuffer(buffer);
    throw error;
  }
}

/**
 * Reads the rest of a body.
 *
 * @param buffer The buffer for each chunk, which is freed at the end.
 * @param body Gets the chunks, at their place; without `body`, they are dropped.
 */
async function readRest(
  upload: LargeUpload,
  buffer: ArrayBuffer,
  body?: Bytes,
): Promise<void> {
  const { transfer, length } = upload;
  const viewBytes = getViewBytes(upload);
  let piece = buffer;
  try {
    // Stops at a known length, without a read that would find the end of the stream: a read
    // that is pending keeps the connection open.
    while (transfer.moved !== length) {
      const { moved } = transfer;
      const chunk = await readChunk(
        upload,
        new Uint8Array(piece, 0, viewBytes),
      );
      piece = chunk.buffer;
      if (chunk.byteLength === 0) return;
      body?.set(chunk, moved);
    }
  } finally {
    freeBuffer(piece);
  }
}

function getViewBytes({ size }: LargeUpload): number {
  return size > WHOLE_BYTES ? MAX_VIEW_BYTES : SMALL_BYTES;
}

/** Reads the next bytes, as `BodyReader.read()` does, and counts and checks them. */
async function readChunk(
  { transfer, shared, reader, length }: LargeUpload,
  view: Bytes,
): Promise<Bytes> {
  const chunk = await reader.read(view);
  const { byteLength } = chunk;
  checkSize(transfer.moved + byteLength, length, shared.maxBodyBytes);
  transfer.advance(byteLength);
  return chunk;
}

/**
 * Waits until memory is reserved for a body, which can be kept then. Returns `drop` if there
 * is none and the body must not wait: over HTTP/2, where requests have no `Host`, an unread
 * body blocks the other requests of its connection.
 *
 * @throws {LoadError} if the wait is in vain.
 */
async function waitForMemory(
  { request, transfer, shared: { bodies }, size }: LargeUpload,
): Promise<"keep" | "drop"> {
  if (bodies.tryReserve(transfer, size)) return "keep";
  if (!request.headers.has("host")) return "drop";
  transfer.stopClock();
  await bodies.reserve(transfer, size, request);
  transfer.startClock();
  return "keep";
}
