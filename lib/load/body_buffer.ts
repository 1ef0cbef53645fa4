/** A request body that is being received. */

import { HttpError } from "../http_error.ts";
import { createBusyError, SMALL_BYTES, type Transfer } from "./budget.ts";
import type { Load } from "./load.ts";
import { nextRound } from "./scheduler.ts";

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

/** A body that is being received, in a buffer that grows with it. */
export class BodyBuffer implements Transfer {
  startTime = performance.now();
  movedBytes = 0;
  readonly #reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader;
  readonly #load: Load;
  readonly #claimedBytes: number;
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
    this.#claimedBytes = claimedBytes;
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
    this.#growFor(MIN_VIEW_BYTES);
    const end = this.movedBytes + MAX_VIEW_BYTES;
    return reader.read(this.#buffer.subarray(this.movedBytes, end));
  }

  /** Doubles the buffer, but not beyond the expected size without need. */
  #growFor(freeBytes: number): void {
    const { byteLength } = this.#buffer;
    const neededBytes = this.movedBytes + freeBytes;
    if (neededBytes <= byteLength) return;
    const expectedBytes = this.movedBytes <= this.#claimedBytes
      ? this.#claimedBytes
      : this.#load.maxBodyBytes;
    const capacity = Math.max(
      neededBytes,
      Math.min(2 * byteLength, expectedBytes + MIN_VIEW_BYTES),
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

/** The error of a body above the limit. */
export function createSizeError({ maxBodyBytes }: Load): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

/** The error of a body that ends before its length. */
export function createBrokenError(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}

function createChunksError(): HttpError {
  return new HttpError(
    400,
    `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`,
    { connection: "close" },
  );
}
