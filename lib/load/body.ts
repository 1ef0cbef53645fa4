/**
 * Reading of request bodies within limits. A small body whose length the server
 * vouches for is read in one call. Any other body is counted while it is read,
 * whatever its `Content-Length` says, and is part of the budget.
 *
 * @module
 */

import { HttpError } from "../http_error.ts";
import { describe } from "../quote.ts";
import {
  type Budget,
  createBusyError,
  getAheadMs,
  MIN_BYTES_PER_SECOND,
  SMALL_BYTES,
  type Transfer,
} from "./budget.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Work } from "../work.ts";
import { nextRound, type Scheduler } from "./scheduler.ts";

/** Limits of request bodies. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /**
   * Time in which a body must arrive whole, in milliseconds. Afterwards it may go
   * on for as long as it has arrived at 64 KiB/s or more on average.
   */
  readonly bodyTimeoutMs: number;
}

/** Information about a request from `Deno.serve`; another server may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be. */
  readonly completed?: Promise<void>;
}

/** Everything that bounds the load of one request. */
export interface Load extends BodyLimits {
  readonly request: Request;
  readonly info: ServeInfo | undefined;
  readonly budget: Budget;
  readonly scheduler: Scheduler;
  readonly deadlines: Deadlines;
}

/** Parses a body. Work on a large one pauses, so that it runs in slices. */
export type ParseBody<Value> = (body: Uint8Array) => Work<Value>;

/** Most chunks in which a body may come if they are small on average. */
const MAX_SMALL_CHUNKS = 16_384;

/** Average size below which chunks are small, in bytes. */
const MIN_CHUNK_BYTES = 16;

/** Time between the end of a response and the cancelling of its request's body, in milliseconds. */
const CLOSE_DELAY_MS = 50;

/** Chunks that are read before the event loop is entered. */
const CHUNKS_PER_ROUND = 64;

/** Largest view into which a chunk is read, in bytes. */
const MAX_VIEW_BYTES = 64 * 1024;

/**
 * Smallest view, in bytes. In Deno 2.9.6 a read of a chunked body into a view of a
 * few bytes never resolves.
 */
const MIN_VIEW_BYTES = 64;

/**
 * Reads the whole body of a request, empty if there is none, and parses it.
 *
 * @throws {HttpError} 415 for a body with a content coding (RFC 9110, section
 * 15.5.16), 413 for one above the limit, 408 for one that is late, 503 for one for
 * which the budget has no room, 400 for one that breaks off or comes in too many
 * small chunks; and anything that `parse` throws.
 */
export function readBody<Value>(
  load: Load,
  parse: ParseBody<Value>,
): Promise<Value> {
  const { request, info, maxBodyBytes } = load;
  const { headers } = request;
  const coding = headers.get("content-encoding");
  if (coding !== null) checkContentCoding(coding);
  const length = headers.get("content-length");
  const claimedBytes = Number(length);
  if (claimedBytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
  return length !== null && claimedBytes <= SMALL_BYTES && info?.completed
    ? readSmallBody(load, claimedBytes, parse)
    : readCountedBody(load, claimedBytes, parse);
}

/** Reads a body of known length by one promise: each more costs a hundredth of the time. */
function readSmallBody<Value>(
  { request, scheduler, deadlines, bodyTimeoutMs }: Load,
  length: number,
  parse: ParseBody<Value>,
): Promise<Value> {
  scheduler.noteSmallRequest(request);
  return new Promise((resolve, reject) => {
    const slowestMs = 1_000 * length / MIN_BYTES_PER_SECOND;
    const deadline = deadlines.set(Math.max(bodyTimeoutMs, slowestMs), () => {
      // The runtime closes the connection by itself.
      reject(createLateError(bodyTimeoutMs));
    });
    function settle(body: Uint8Array | undefined): void {
      deadlines.clear(deadline);
      if (body === undefined) return reject(createBrokenError());
      try {
        const step = parse(body).next();
        if (!step.done) throw new Error("work on a small body must not pause");
        resolve(step.value);
      } catch (error) {
        reject(error);
      }
    }
    // Only a client's fault can end the reading early.
    request.bytes().then(settle, () => settle(undefined));
  });
}

/** Reads a body chunk by chunk, and counts bytes and chunks. */
async function readCountedBody<Value>(
  load: Load,
  claimedBytes: number,
  parse: ParseBody<Value>,
): Promise<Value> {
  const { request, budget, scheduler, deadlines, bodyTimeoutMs } = load;
  if (request.body === null) {
    return await scheduler.run(request, parse(new Uint8Array()));
  }
  if (claimedBytes > SMALL_BYTES) budget.makeRoom(claimedBytes);
  const buffer = new BodyBuffer(request.body, load, claimedBytes);
  const deadline = deadlines.set(bodyTimeoutMs, () => {
    const aheadMs = getAheadMs(buffer);
    if (aheadMs > 0) return aheadMs;
    buffer.refuse(createLateError(bodyTimeoutMs, { connection: "close" }));
  });
  try {
    await buffer.readAll();
    deadlines.clear(deadline);
    if (buffer.movedBytes > SMALL_BYTES) await scheduler.waitForSlice(request);
    else scheduler.noteSmallRequest(request);
    return await scheduler.run(request, parse(buffer.bytes));
  } finally {
    deadlines.clear(deadline);
    budget.release(buffer);
  }
}

/** A body that is being received, in a buffer that grows with it. */
class BodyBuffer implements Transfer {
  startTime = performance.now();
  movedBytes = 0;
  readonly #reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader;
  readonly #load: Load;
  readonly #expectedBytes: number;
  /** The bytes received, and free room behind them. */
  #buffer = new Uint8Array(SMALL_BYTES + MIN_VIEW_BYTES);
  #error: HttpError | undefined;

  constructor(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    load: Load,
    claimedBytes: number,
  ) {
    this.#reader = getReader(body);
    this.#load = load;
    this.#expectedBytes = claimedBytes || load.maxBodyBytes;
  }

  /** The bytes received. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.movedBytes);
  }

  /** Reads to the end of the body. */
  async readAll(): Promise<void> {
    const { maxBodyBytes } = this.#load;
    for (let chunks = 1; await this.#readChunk(); chunks += 1) {
      const { movedBytes } = this;
      if (movedBytes > maxBodyBytes) this.refuse(createSizeError(maxBodyBytes));
      if (chunks > MAX_SMALL_CHUNKS && movedBytes < MIN_CHUNK_BYTES * chunks) {
        this.#closeConnection();
        throw createChunksError();
      }
      if (chunks % CHUNKS_PER_ROUND === 0) await nextRound();
    }
    // From here on only the service keeps the client waiting.
    this.startTime = Infinity;
  }

  /** Stops the reading: `readAll()` throws the error. */
  refuse(error: HttpError): void {
    this.#error ??= error;
    // The rest drains, so that the connection stays usable. If the connection
    // is gone, there is nothing to drain.
    this.#reader.cancel().catch(() => {});
  }

  abort(): void {
    this.refuse(createBusyError());
  }

  /**
   * Lets the runtime close the connection, as it does if a body is cancelled after
   * the response has left: to drain a million small chunks may take minutes.
   */
  #closeConnection(): void {
    const cancel = () => void this.#reader.cancel().catch(() => {});
    const cancelLater = () => setTimeout(cancel, CLOSE_DELAY_MS);
    const completed = this.#load.info?.completed;
    if (completed === undefined) cancel();
    else completed.then(cancelLater, cancelLater);
  }

  /** Reads the next chunk; whether there was one. */
  async #readChunk(): Promise<boolean> {
    this.#growFor(MIN_VIEW_BYTES);
    const { done, value } = await this.#read().catch(() => {
      throw this.#error ?? createBrokenError();
    });
    if (this.#error !== undefined) throw this.#error;
    if (value === undefined) return false;
    if (this.#buffer.byteLength === 0) {
      // The stream took the buffer for the view, and hands it back.
      this.#buffer = new Uint8Array(value.buffer);
    } else {
      this.#growFor(value.byteLength);
      this.#buffer.set(value, this.movedBytes);
    }
    this.movedBytes += value.byteLength;
    return !done;
  }

  #read(): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
    const reader = this.#reader;
    if (reader instanceof ReadableStreamDefaultReader) return reader.read();
    const end = this.movedBytes + MAX_VIEW_BYTES;
    return reader.read(this.#buffer.subarray(this.movedBytes, end));
  }

  /** Grows the buffer fourfold, or as far as is expected, if that is enough. */
  #growFor(freeBytes: number): void {
    const { byteLength } = this.#buffer;
    const neededBytes = this.movedBytes + freeBytes;
    if (neededBytes <= byteLength) return;
    const expectedBytes = this.#expectedBytes + MIN_VIEW_BYTES;
    const capacity = Math.max(
      neededBytes,
      Math.min(4 * byteLength, Math.max(expectedBytes, neededBytes)),
    );
    try {
      this.#load.budget.reserve(this, capacity);
    } catch (error) {
      if (error instanceof HttpError) this.refuse(error);
      throw error;
    }
    // Frees the old buffer at once, unlike a copy.
    this.#buffer = new Uint8Array(this.#buffer.buffer.transfer(capacity));
  }
}

/** A reader that fills views if the stream can, since that takes less memory. */
function getReader(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStreamBYOBReader | ReadableStreamDefaultReader {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    // It is no byte stream; a body that has been read already throws here too.
    return body.getReader();
  }
}

/** Names of codings are compared without regard to case (RFC 9110, section 8.4.1). */
function checkContentCoding(header: string): void {
  const codings = header.split(",").map((name) => name.trim().toLowerCase());
  if (codings.every((name) => name === "" || name === "identity")) return;
  throw new HttpError(
    415,
    `the Content-Encoding header must be "identity" or absent, got ${
      describe(header)
    }`,
    // RFC 9110, section 12.5.3.
    { "accept-encoding": "identity" },
  );
}

function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

function createLateError(
  bodyTimeoutMs: number,
  headers: Readonly<Record<string, string>> = {},
): HttpError {
  return new HttpError(
    408,
    `the body must arrive within ${bodyTimeoutMs} milliseconds`,
    headers,
  );
}

function createChunksError(): HttpError {
  return new HttpError(
    400,
    `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`,
    { connection: "close" },
  );
}

function createBrokenError(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}
