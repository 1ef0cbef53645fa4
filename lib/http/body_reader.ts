import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import { toReadError } from "./body.ts";
import { HttpError } from "./http_error.ts";

/**
 * Size of the buffer into which a BYOB reader reads each chunk, in bytes. For each
 * connection, Deno appears to keep as many bytes as the buffer has, so a larger buffer
 * costs memory.
 */
const PIECE_BYTES = 32 * 1024;

/**
 * Largest number of chunks, inclusive, of a body whose chunks have fewer than
 * `MIN_CHUNK_BYTES` bytes on average.
 */
const MAX_SMALL_CHUNKS = 16_384;
const MIN_CHUNK_BYTES = 16;
const CHUNKS_MESSAGE =
  `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`;

/** Number of chunks of a body after which the event loop may handle other requests. */
const CHUNKS_PER_TURN = 16;

/**
 * Time from the end of the response to a body with too many small chunks until the body is
 * cancelled, in milliseconds.
 */
const CLOSE_DELAY_MS = 50;

/** Reads a body chunk by chunk, and rejects a body with too many small chunks. */
export class BodyReader {
  readonly #reader:
    | ReadableStreamBYOBReader
    | ReadableStreamDefaultReader<Bytes>;
  /** The buffer into which a BYOB reader reads each chunk. */
  #piece = new ArrayBuffer(PIECE_BYTES);
  #chunks = 0;
  #bytes = 0;
  #abortion: unknown;

  constructor(stream: ReadableStream<Bytes>) {
    try {
      this.#reader = stream.getReader({ mode: "byob" });
    } catch {
      // Some streams have no BYOB reader: in Deno 2.9, that of a body that has arrived
      // together with the head of its request.
      this.#reader = stream.getReader();
    }
  }

  /**
   * Returns the next chunk, whose bytes are valid until the next call; `undefined` at the
   * end of the body. After `abort()`, throws the error given to `abort()`.
   *
   * @throws {HttpError} 400 if the body breaks off, has too many small chunks, or is not a
   * stream of bytes.
   * @throws {RangeError} if there is no memory for a buffer.
   */
  async read(): Promise<Bytes | undefined> {
    const { value, done } = await this.#readNext();
    this.#throwIfAborted();
    if (done) return undefined;
    // A `Request` that a program has created may have a stream of strings, for example.
    if (!(value instanceof Uint8Array)) {
      throw new HttpError(400, "the body must be a stream of bytes");
    }
    this.#chunks += 1;
    this.#bytes += value.byteLength;
    if (this.#hasSmallChunks) {
      throw new HttpError(400, CHUNKS_MESSAGE, { connection: "close" });
    }
    if (this.#chunks % CHUNKS_PER_TURN === 0) {
      await setImmediate();
      this.#throwIfAborted();
    }
    return value;
  }

  #throwIfAborted(): void {
    if (this.#abortion !== undefined) throw this.#abortion;
  }

  async #readNext(): Promise<ReadableStreamReadResult<Bytes>> {
    const reader = this.#reader;
    try {
      if (!(reader instanceof ReadableStreamBYOBReader)) {
        return await reader.read();
      }
      const result = await reader.read(new Uint8Array(this.#piece));
      if (result.value !== undefined) this.#piece = result.value.buffer;
      return result as ReadableStreamReadResult<Bytes>;
    } catch (error) {
      throw toReadError(error);
    }
  }

  get #hasSmallChunks(): boolean {
    return this.#chunks > MAX_SMALL_CHUNKS &&
      this.#bytes < MIN_CHUNK_BYTES * this.#chunks;
  }

  /** Cancels the body. The pending `read()`, or else the next one, throws `error`. */
  abort(error: unknown): void {
    this.#abortion = error;
    this.#cancel();
  }

  /**
   * Frees the buffer, and cancels the unread rest of the body at once. A body with too many
   * small chunks is cancelled 50 ms after `completed`; without `completed`, never.
   *
   * @param completed Settles when the response has been sent, or cannot be sent.
   */
  close(completed: Promise<void> | undefined): void {
    freeBuffer(this.#piece);
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
