import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { HttpError } from "../http/answer.ts";
import { BrokenBodyError, checkBytes, toReadError } from "../http/body.ts";
import type { Bytes } from "../values/buffer.ts";

/**
 * Smallest view that `read()` may be given, in bytes: with one of a few bytes, a read of a
 * body in chunks never ends (Deno 2.9).
 */
export const MIN_VIEW_BYTES = 64;

/**
 * Largest number of chunks, inclusive, of a body whose chunks have fewer than
 * `MIN_CHUNK_BYTES` bytes on average.
 */
const MAX_SMALL_CHUNKS = 16_384;
const MIN_CHUNK_BYTES = 16;
const CHUNKS_MESSAGE =
  `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`;

/** Number of chunks of a body after which the event loop may handle other requests. */
const CHUNKS_PER_ROUND = 16;

/**
 * Time from the end of the response to a body with too many small chunks until the body is
 * cancelled, in milliseconds.
 */
const CLOSE_DELAY_MS = 50;

type Reader =
  | ReadableStreamBYOBReader
  | ReadableStreamDefaultReader<Bytes>;

/** Reads a body chunk by chunk, and rejects a body with too many small chunks. */
export class BodyReader {
  readonly #reader: Reader;
  /** Bytes that a reader without views has read, and `read()` has not returned yet. */
  #rest: Bytes | undefined;
  #chunks = 0;
  #bytes = 0;
  #abortion: Error | undefined;

  constructor(stream: ReadableStream<Bytes>) {
    this.#reader = createReader(stream);
  }

  /**
   * Reads the next bytes into `view`, whose buffer must not be used any more. Returns the
   * bytes that were read, in a buffer with the same content before them; no bytes at the
   * end of the body.
   *
   * @throws {HttpError} 400 if the body breaks off, has too many small chunks, or is not a
   * stream of bytes.
   * @throws {RangeError} if there is no memory for a buffer.
   * @throws the error given to `abort()`.
   */
  async read(view: Bytes): Promise<Bytes> {
    const chunk = await this.#readInto(view).catch(toReadError);
    this.#throwIfAborted();
    if (chunk instanceof Error) throw chunk;
    if (chunk.byteLength === 0) return chunk;
    this.#chunks += 1;
    this.#bytes += chunk.byteLength;
    if (this.#hasSmallChunks) {
      throw new HttpError(400, CHUNKS_MESSAGE, { connection: "close" });
    }
    if (this.#chunks % CHUNKS_PER_ROUND === 0) {
      await setImmediate();
      this.#throwIfAborted();
    }
    return chunk;
  }

  #throwIfAborted(): void {
    if (this.#abortion !== undefined) throw this.#abortion;
  }

  async #readInto(view: Bytes): Promise<Bytes> {
    const reader = this.#reader;
    if (reader instanceof ReadableStreamBYOBReader) {
      const { value } = await reader.read(view);
      // A reader that was cancelled does not return the buffer.
      if (value === undefined) throw new BrokenBodyError();
      return value as Bytes;
    }
    while (!this.#rest?.byteLength) {
      const { value, done } = await reader.read();
      if (done) return view.subarray(0, 0);
      checkBytes(value);
      this.#rest = value;
    }
    const chunk = this.#rest.subarray(0, view.byteLength);
    this.#rest = this.#rest.subarray(chunk.byteLength);
    view.set(chunk);
    return view.subarray(0, chunk.byteLength);
  }

  get #hasSmallChunks(): boolean {
    return this.#chunks > MAX_SMALL_CHUNKS &&
      this.#bytes < MIN_CHUNK_BYTES * this.#chunks;
  }

  /** Cancels the body. The pending `read()`, or else the next one, throws `error`. */
  abort(error: Error): void {
    this.#abortion = error;
    this.#cancel();
  }

  /**
   * Cancels the unread rest of the body at once. A body with too many small chunks is
   * cancelled 50 ms after `completed`; without `completed`, never.
   *
   * @param completed Settles when the response has been sent, or cannot be sent.
   */
  close(completed: Promise<void> | undefined): void {
    if (!this.#hasSmallChunks) {
      this.#cancel();
      return;
    }
    // Deno reads the rest of a body for up to two minutes, unless the body is cancelled
    // after the response has been sent: then Deno closes the connection.
    const cancelLater = () => delay(CLOSE_DELAY_MS).then(() => this.#cancel());
    completed?.then(cancelLater, cancelLater);
  }

  #cancel(): void {
    // `cancel()` rejects if the connection is closed: then nothing is left to cancel.
    this.#reader.cancel().catch(() => {});
  }
}

function createReader(stream: ReadableStream<Bytes>): Reader {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    // Some streams cannot read into views: in Deno 2.9, that of a body that has arrived
    // together with the head of its request.
    return stream.getReader();
  }
}
