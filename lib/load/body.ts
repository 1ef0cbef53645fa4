/** Bodies that are counted while they are received: large ones, and those of unknown length. */

import { setImmediate, setTimeout } from "node:timers/promises";
import { HttpError } from "../http_error.ts";
import { SMALL_BYTES, type Transfer } from "./budget.ts";
import type { Load } from "./load.ts";

/** Most chunks of a body if they are small, and the average size from which they are not, in bytes. */
const MAX_SMALL_CHUNKS = 16_384;
const MIN_CHUNK_BYTES = 16;
const CHUNKS_MESSAGE =
  `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`;

/** Chunks between two pauses for other requests, and the longest such pause, in milliseconds. */
const CHUNKS_PER_ROUND = 16;
const SMALL_CHUNKS_PAUSE_MS = 4;

/** Time from the end of a response to the closing of its connection, in milliseconds. */
const CLOSE_DELAY_MS = 50;

/** Size of a view, twice that for large bodies. In Deno 2.9.6 a read into a few bytes may never end. */
const VIEW_BYTES = 32 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads a chunk into a view, or makes a buffer of its own for it. */
interface Reader {
  read(view: Bytes): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(): Promise<void>;
}

/** A body that is received in a buffer that grows with it. */
export class CountedBody implements Transfer {
  startTime = performance.now();
  movedBytes = 0;
  readonly #load: Load;
  readonly #reader: Reader;
  #buffer: Bytes = new Uint8Array();
  #error: HttpError | undefined;
  #mustClose = false;

  constructor(load: Load, stream: ReadableStream<Bytes>) {
    this.#load = load;
    this.#reader = getReader(stream);
  }

  /**
   * Reads to the end of the body. Returns its bytes, which `release()` frees.
   *
   * @throws {HttpError} 413, 408, 503 or 400, in the cases of `readBody()`.
   */
  async receive(): Promise<Bytes> {
    this.#load.deadlines.add(this);
    let view: Bytes | undefined = new Uint8Array(VIEW_BYTES);
    for (let chunks = 1; (view = await this.#readChunk(view)); chunks += 1) {
      const areSmall = this.movedBytes < MIN_CHUNK_BYTES * chunks;
      this.#mustClose = areSmall && chunks > MAX_SMALL_CHUNKS;
      if (this.#mustClose) throw new HttpError(400, CHUNKS_MESSAGE);
      if (chunks % CHUNKS_PER_ROUND !== 0) continue;
      const isSlowed = areSmall && chunks > MAX_SMALL_CHUNKS / 2;
      await (isSlowed ? setTimeout(SMALL_CHUNKS_PAUSE_MS) : setImmediate());
    }
    // From here on the client waits for the service.
    this.startTime = Infinity;
    return this.#buffer.subarray(0, this.movedBytes);
  }

  /** Reads a chunk, into the view if possible. Returns the view for the next one. */
  async #readChunk(view: Bytes): Promise<Bytes | undefined> {
    const { value, done } = await this.#reader.read(view).catch(() => {
      throw this.#error ?? createBrokenError();
    });
    if (this.#error !== undefined) throw this.#error;
    if (done) return undefined;
    if (!(value instanceof Uint8Array)) throw new TypeError("no Uint8Array");
    const bytes = this.movedBytes + value.byteLength;
    if (bytes > this.#buffer.byteLength) this.#growFor(bytes);
    this.#buffer.set(value, this.movedBytes);
    this.movedBytes = bytes;
    return bytes > SMALL_BYTES && value.buffer.byteLength === VIEW_BYTES
      ? new Uint8Array(2 * VIEW_BYTES)
      : new Uint8Array(value.buffer);
  }

  #growFor(bytes: number): void {
    const { request, maxBodyBytes, budget } = this.#load;
    if (bytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
    const length = Number(request.headers.get("content-length"));
    // All of it is reserved at once, so that a client is not rejected halfway.
    const isKnown = bytes >= SMALL_BYTES && bytes <= length;
    const capacity = isKnown ? length : Math.min(2 * bytes, maxBodyBytes);
    if (capacity > SMALL_BYTES) budget.reserve(this, capacity);
    // Frees the old buffer at once, unlike a copy.
    this.#buffer = new Uint8Array(this.#buffer.buffer.transfer(capacity));
  }

  /** Ends the reading: `receive()` throws the error. The rest of the body drains. */
  abort(error: HttpError): void {
    this.#error ??= error;
    this.#cancel();
  }

  #cancel(): void {
    // It fails if the connection is gone.
    this.#reader.cancel().catch(() => {});
  }

  /** Ends everything that `receive()` has begun. The bytes must not be used any more. */
  release(): void {
    const { budget, deadlines, info } = this.#load;
    deadlines.delete(this);
    budget.release(this);
    // The garbage collector would free it later.
    this.#buffer.buffer.transfer(0);
    if (!this.#mustClose) return this.#cancel();
    // If a body is cancelled after the response, the runtime closes the connection.
    // To drain a million small chunks would take up to two minutes.
    const close = () => setTimeout(CLOSE_DELAY_MS).then(() => this.#cancel());
    info?.completed?.then(close, close);
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

/** Creates the error for a body above the limit. */
export function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

/** Creates the error for a body that ends too early. */
export function createBrokenError(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}
