/**
 * Reading of request bodies. A small body whose length the server vouches for is
 * read in one call; any other is counted while it is read, and part of the budget.
 *
 * @module
 */

import { HttpError } from "../http_error.ts";
import type { Work } from "../work.ts";
import {
  type Budget,
  createBusyError,
  getAheadMs,
  MIN_BYTES_PER_SECOND,
  SMALL_BYTES,
  type Transfer,
} from "./budget.ts";
import type { Deadlines } from "./deadlines.ts";
import { nextRound, type Scheduler } from "./scheduler.ts";

/** Limits of request bodies. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /**
   * Time in which a body must arrive whole, in milliseconds, unless it arrives at
   * 64 KiB/s or more on average.
   */
  readonly bodyTimeoutMs: number;
}

/** Information about a request from `Deno.serve`; other servers may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be. */
  readonly completed?: Promise<void>;
}

/** A request, and everything that bounds its load. */
export interface Load extends BodyLimits {
  readonly request: Request;
  readonly info: ServeInfo | undefined;
  readonly budget: Budget;
  readonly scheduler: Scheduler;
  readonly deadlines: Deadlines;
}

/** Most chunks in which a body may come if they are small on average. */
const MAX_SMALL_CHUNKS = 16_384;

/** Average size below which chunks are small, in bytes. */
const MIN_CHUNK_BYTES = 16;

/** Chunks that are read before the event loop is entered. */
const CHUNKS_PER_ROUND = 16;

/** Largest and smallest view into which a chunk is read, in bytes. */
const MAX_VIEW_BYTES = 64 * 1024;
// In Deno 2.9.6 a read of a chunked body into a few bytes never resolves.
const MIN_VIEW_BYTES = 64;

/** Time from the end of a response to the closing of its connection, in milliseconds. */
const CLOSE_DELAY_MS = 50;

/**
 * Reads the whole body of a request, empty if there is none, and parses it. The
 * parsing of a large body runs in slices.
 *
 * @throws {HttpError} 413 for a body above the limit, 408 for one that is late, 503
 * for one for which the budget has no room, 400 for one that breaks off or comes in
 * too many small chunks; and errors of `parse`.
 */
export function readBody<Value>(
  load: Load,
  parse: (body: Uint8Array) => Work<Value>,
): Promise<Value> {
  const length = load.request.headers.get("content-length");
  const claimedBytes = Number(length);
  if (claimedBytes > load.maxBodyBytes) throw createSizeError(load);
  return length !== null && claimedBytes <= SMALL_BYTES && load.info?.completed
    ? readSmallBody(load, claimedBytes, parse)
    : readCountedBody(load, claimedBytes, parse);
}

/** Reads a body with one promise, since each costs a hundredth of a small request. */
function readSmallBody<Value>(
  load: Load,
  length: number,
  parse: (body: Uint8Array) => Work<Value>,
): Promise<Value> {
  load.scheduler.noteSmallRequest();
  return new Promise((resolve, reject) => {
    const slowestMs = 1_000 * length / MIN_BYTES_PER_SECOND;
    const timeoutMs = Math.max(load.bodyTimeoutMs, slowestMs);
    const endTime = performance.now() + timeoutMs;
    function check(): void {
      if (performance.now() < endTime) return;
      load.deadlines.delete(check);
      // The runtime closes the connection, and says so.
      reject(createLateError(load));
    }
    load.deadlines.add(check);
    load.request.bytes().then((body) => {
      load.deadlines.delete(check);
      const step = parse(body).next();
      if (!step.done) throw new Error("work on a small body must not pause");
      resolve(step.value);
    }, () => {
      load.deadlines.delete(check);
      reject(createBrokenError());
    }).catch(reject);
  });
}

/** Reads a body chunk by chunk. */
async function readCountedBody<Value>(
  load: Load,
  claimedBytes: number,
  parse: (body: Uint8Array) => Work<Value>,
): Promise<Value> {
  const { request, budget, scheduler, deadlines } = load;
  if (request.body === null) return scheduler.run(request, parse(NO_BYTES));
  if (claimedBytes > SMALL_BYTES) budget.makeRoom(claimedBytes);
  const buffer = new BodyBuffer(request.body, load, claimedBytes);
  const endTime = buffer.startTime + load.bodyTimeoutMs;
  function check(): void {
    if (performance.now() < endTime || getAheadMs(buffer) > 0) return;
    buffer.refuse(createLateError(load, CLOSE));
  }
  deadlines.add(check);
  try {
    await buffer.readAll();
    deadlines.delete(check);
    if (buffer.movedBytes > SMALL_BYTES) await scheduler.waitForSlice(request);
    else scheduler.noteSmallRequest();
    return await scheduler.run(request, parse(buffer.bytes));
  } finally {
    deadlines.delete(check);
    budget.release(buffer);
    buffer.free();
  }
}

const NO_BYTES = new Uint8Array();
const CLOSE = { connection: "close" };

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

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.movedBytes);
  }

  /** Frees the memory at once: the garbage collector may take its time. */
  free(): void {
    const { buffer } = this.#buffer;
    // A read that has been cancelled keeps the buffer.
    if (!buffer.detached) buffer.transfer(0);
  }

  /** Reads to the end of the body. */
  async readAll(): Promise<void> {
    for (let chunks = 1; await this.#readChunk(); chunks += 1) {
      const { movedBytes } = this;
      if (movedBytes > this.#load.maxBodyBytes) {
        this.refuse(createSizeError(this.#load));
      }
      if (chunks > MAX_SMALL_CHUNKS && movedBytes < MIN_CHUNK_BYTES * chunks) {
        this.#closeConnection();
        throw createChunksError();
      }
      if (chunks % CHUNKS_PER_ROUND === 0) await nextRound();
    }
    // From here on the client waits for the service.
    this.startTime = Infinity;
  }

  /** Stops the reading: `readAll()` throws the error. The rest of the body drains. */
  refuse(error: HttpError): void {
    this.#error ??= error;
    this.#cancel();
  }

  abort(): void {
    this.refuse(createBusyError());
  }

  #cancel(): void {
    // It fails if the connection is gone: then nothing is left to drain.
    this.#reader.cancel().catch(() => {});
  }

  /**
   * Lets the runtime close the connection, as it does if a body is cancelled after
   * the response: to drain a million small chunks takes up to two minutes.
   */
  #closeConnection(): void {
    const cancelLater = () => setTimeout(() => this.#cancel(), CLOSE_DELAY_MS);
    const { completed = Promise.resolve() } = this.#load.info ?? {};
    completed.then(cancelLater, cancelLater);
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
      // The stream took the buffer of the view, and gives it back.
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

  /** Grows the buffer fourfold, but not beyond the expected size without need. */
  #growFor(freeBytes: number): void {
    const { byteLength } = this.#buffer;
    const neededBytes = this.movedBytes + freeBytes;
    if (neededBytes <= byteLength) return;
    const expectedBytes = this.#expectedBytes + MIN_VIEW_BYTES;
    const capacity = Math.max(
      neededBytes,
      Math.min(4 * byteLength, expectedBytes),
    );
    try {
      this.#load.budget.reserve(this, capacity);
    } catch (error) {
      this.#cancel();
      throw error;
    }
    // Frees the old buffer at once, unlike a copy.
    this.#buffer = new Uint8Array(this.#buffer.buffer.transfer(capacity));
  }
}

/** A reader that fills views if the stream can: that takes less memory. */
function getReader(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStreamBYOBReader | ReadableStreamDefaultReader {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    // It is not a stream of bytes, or is in use, which throws here, too.
    return body.getReader();
  }
}

function createSizeError({ maxBodyBytes }: Load): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

function createLateError({ bodyTimeoutMs }: Load, headers = {}): HttpError {
  const message = `the body must arrive within ${bodyTimeoutMs} milliseconds`;
  return new HttpError(408, message, headers);
}

function createChunksError(): HttpError {
  return new HttpError(
    400,
    `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`,
    CLOSE,
  );
}

function createBrokenError(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}
