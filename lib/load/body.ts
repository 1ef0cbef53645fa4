/**
 * Reading of request bodies. A small body whose length the server vouches for is
 * read in one call; any other is counted while it is read, and part of the budget.
 *
 * @module
 */

import { setImmediate, setTimeout } from "node:timers/promises";
import { HttpError } from "../http_error.ts";
import { runAtOnce, type Work } from "../work.ts";
import { SMALL_BYTES, type Transfer } from "./budget.ts";
import type { Load } from "./load.ts";

/** Most chunks in which a body may come if they are small on average. */
const MAX_SMALL_CHUNKS = 16_384;

/** Average size below which chunks are small, in bytes. */
const MIN_CHUNK_BYTES = 16;

/** Chunks that are read before the event loop is entered. */
const CHUNKS_PER_ROUND = 16;

/** Pause in each round once half of the most small chunks have come, in milliseconds. */
const SMALL_CHUNKS_PAUSE_MS = 4;

/** Largest and smallest view into which a chunk is read, in bytes. */
const MAX_VIEW_BYTES = 64 * 1024;
// In Deno 2.9.6 a read of a chunked body into a few bytes never resolves.
const MIN_VIEW_BYTES = 64;

/** Time from the end of a response to the closing of its connection, in milliseconds. */
const CLOSE_DELAY_MS = 50;

/** Makes the value of a body, in steps. */
type Parse<Value> = (body: Uint8Array) => Work<Value>;

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads a chunk into a view, or makes a buffer of its own for it. */
interface Reader {
  read(view: Bytes): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(): Promise<void>;
}

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
  parse: Parse<Value>,
): Promise<Value> {
  const { request, info, maxBodyBytes } = load;
  const length = request.headers.get("content-length");
  const claimedBytes = Number(length);
  if (claimedBytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
  const isSmall = length !== null && claimedBytes <= SMALL_BYTES;
  // To read `completed` would create a promise.
  const isFromServe = info !== undefined && "completed" in info;
  if (isSmall && isFromServe || request.body === null) {
    return readSmallBody(load, claimedBytes, parse);
  }
  if (claimedBytes > SMALL_BYTES) load.budget.makeRoom(claimedBytes);
  const body = new Body(load, getReader(request.body), claimedBytes);
  return readCountedBody(load, body, parse);
}

/** Reads a body with one promise, since each costs a hundredth of a small request. */
function readSmallBody<Value>(
  { request, scheduler, deadlines }: Load,
  movedBytes: number,
  parse: Parse<Value>,
): Promise<Value> {
  scheduler.noteSmallRequest();
  return new Promise((resolve, reject) => {
    const abort = ({ status, message }: HttpError) => {
      // The runtime adds `Connection: close`.
      reject(new HttpError(status, message));
    };
    const transfer = { startTime: performance.now(), movedBytes, abort };
    deadlines.add(transfer);
    request.bytes().then((body) => {
      deadlines.delete(transfer);
      resolve(runAtOnce(parse(body)));
    }, () => {
      deadlines.delete(transfer);
      reject(createBrokenError());
    }).catch(reject);
  });
}

async function readCountedBody<Value>(
  { request, budget, scheduler, deadlines }: Load,
  body: Body,
  parse: Parse<Value>,
): Promise<Value> {
  deadlines.add(body);
  try {
    await body.receive();
    const work = parse(body.bytes);
    if (body.movedBytes > SMALL_BYTES) {
      return await scheduler.runInSlices(request, work);
    }
    scheduler.noteSmallRequest();
    return await scheduler.run(request, work);
  } finally {
    deadlines.delete(body);
    budget.release(body);
    body.free();
  }
}

/** A body that is received in a buffer that grows with it. */
class Body implements Transfer {
  startTime = performance.now();
  movedBytes = 0;
  readonly #load: Load;
  readonly #reader: Reader;
  readonly #claimedBytes: number;
  /** The bytes received, and free room behind them. */
  #buffer = new Uint8Array(SMALL_BYTES + MIN_VIEW_BYTES);
  #error: HttpError | undefined;

  constructor(load: Load, reader: Reader, claimedBytes: number) {
    this.#load = load;
    this.#reader = reader;
    this.#claimedBytes = claimedBytes;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.movedBytes);
  }

  /** Reads to the end of the body. */
  async receive(): Promise<void> {
    const { maxBodyBytes } = this.#load;
    for (let chunks = 1; await this.#readChunk(); chunks += 1) {
      if (this.movedBytes > maxBodyBytes) {
        this.abort(createSizeError(maxBodyBytes));
      }
      const areSmall = this.movedBytes < MIN_CHUNK_BYTES * chunks;
      if (areSmall && chunks > MAX_SMALL_CHUNKS) {
        this.#closeConnection();
        throw createChunksError();
      }
      if (chunks % CHUNKS_PER_ROUND !== 0) continue;
      if (areSmall && chunks > MAX_SMALL_CHUNKS / 2) {
        await setTimeout(SMALL_CHUNKS_PAUSE_MS);
      } else await setImmediate();
    }
    // From here on the client waits for the service.
    this.startTime = Infinity;
  }

  /** Reads the next chunk; whether there was one. */
  async #readChunk(): Promise<boolean> {
    this.#growFor(MIN_VIEW_BYTES);
    const end = this.movedBytes + MAX_VIEW_BYTES;
    const view = this.#buffer.subarray(this.movedBytes, end);
    const { done, value } = await this.#reader.read(view).catch(() => {
      throw this.#error ?? createBrokenError();
    });
    if (this.#error !== undefined) throw this.#error;
    if (value === undefined) return false;
    if (view.buffer.detached) {
      // The stream took the buffer, wrote to the view, and gives the buffer back.
      this.#buffer = new Uint8Array(value.buffer);
    } else {
      this.#growFor(value.byteLength);
      this.#buffer.set(value, this.movedBytes);
    }
    this.movedBytes += value.byteLength;
    return !done;
  }

  /** Doubles the buffer, but not beyond the length that the client has claimed. */
  #growFor(freeBytes: number): void {
    const { buffer, byteLength } = this.#buffer;
    const neededBytes = this.movedBytes + freeBytes;
    if (neededBytes <= byteLength) return;
    const { maxBodyBytes, budget } = this.#load;
    const isClaimed = this.movedBytes <= this.#claimedBytes;
    const expectedBytes = isClaimed ? this.#claimedBytes : maxBodyBytes;
    const grownBytes = Math.min(2 * byteLength, expectedBytes + MIN_VIEW_BYTES);
    const capacity = Math.max(neededBytes, grownBytes);
    try {
      budget.reserve(this, capacity - MIN_VIEW_BYTES);
    } catch (error) {
      this.#cancel();
      throw error;
    }
    // Frees the old buffer at once, unlike a copy.
    this.#buffer = new Uint8Array(buffer.transfer(capacity));
  }

  /** Ends the reading: `receive()` throws the error. The rest of the body drains. */
  abort(error: HttpError): void {
    this.#error ??= error;
    this.#cancel();
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
    const cancel = () => setTimeout(CLOSE_DELAY_MS).then(() => this.#cancel());
    this.#load.info?.completed?.then(cancel, cancel);
  }

  /** Frees the memory at once: the garbage collector may take its time. */
  free(): void {
    // A read that has been cancelled keeps the buffer.
    if (!this.#buffer.buffer.detached) this.#buffer.buffer.transfer(0);
  }
}

/** A reader that writes to views, since that takes less memory, if the stream has one. */
function getReader(stream: ReadableStream<Bytes>): Reader {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    // It is not a stream of bytes, or is in use, which throws here, too.
    return stream.getReader();
  }
}

function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

function createBrokenError(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}

function createChunksError(): HttpError {
  const form =
    `${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes`;
  const message = `the body must not come in more than ${form} on average`;
  return new HttpError(400, message);
}
