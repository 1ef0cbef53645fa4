import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import { toReadError } from "./body.ts";
import { HttpError } from "./http_error.ts";

/**
 * Size of the buffer into which a body is read, in bytes. Deno appears to keep as many bytes
 * for each connection that has sent a body, so a larger buffer costs memory.
 */
const PIECE_BYTES = 32 * 1024;

/** Largest number of chunks of a body whose chunks average fewer than `MIN_CHUNK_BYTES`. */
const MAX_SMALL_CHUNKS = 16_384;
const MIN_CHUNK_BYTES = 16;
const CHUNKS_MESSAGE =
  `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`;

/** Number of chunks of one body that are read before other requests are answered. */
const CHUNKS_PER_TURN = 16;

/**
 * Time from the end of a response until the unread rest of its request is refused, in
 * milliseconds.
 */
const CLOSE_DELAY_MS = 50;

/** Reads the chunks of a body, one after the other. */
export class BodyReader {
  readonly #reader:
    | ReadableStreamBYOBReader
    | ReadableStreamDefaultReader<Bytes>;
  /** The buffer into which each chunk is read. */
  #piece = new ArrayBuffer(PIECE_BYTES);
  #chunks = 0;
  #bytes = 0;
  #abortion: unknown;

  constructor(stream: ReadableStream<Bytes>) {
    try {
      this.#reader = stream.getReader({ mode: "byob" });
    } catch {
      // Deno has no BYOB reader for a body that had arrived whole before it was read.
      this.#reader = stream.getReader();
    }
  }

  /**
   * Reads the next chunk, which is valid until the next read; `undefined` at the end.
   *
   * @throws {HttpError} 400 if the body breaks off, or comes in too many small chunks; and
   * the error with which the reading is aborted.
   */
  async read(): Promise<Bytes | undefined> {
    const { value, done } = await this.#readNext();
    if (this.#abortion !== undefined) throw this.#abortion;
    if (done) return undefined;
    // A `Request` that a program has created may have a stream of other values.
    if (!(value instanceof Uint8Array)) {
      throw new HttpError(400, "the body must be a stream of bytes");
    }
    this.#chunks += 1;
    this.#bytes += value.byteLength;
    if (this.#hasSmallChunks) {
      throw new HttpError(400, CHUNKS_MESSAGE, { connection: "close" });
    }
    if (this.#chunks % CHUNKS_PER_TURN === 0) await setImmediate();
    return value;
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

  /** Makes the current and the next read fail with an error. */
  abort(error: unknown): void {
    this.#abortion = error;
    this.#cancel();
  }

  /**
   * Refuses the rest of the body.
   *
   * @param completed Settles when the response has been sent.
   */
  close(completed: Promise<void> | undefined): void {
    freeBuffer(this.#piece);
    if (!this.#hasSmallChunks) {
      this.#cancel();
      return;
    }
    // Without this, Deno would read the rest of the body for up to two minutes. If the body
    // is cancelled after the response has been sent, Deno closes the connection.
    const cancelLater = () => delay(CLOSE_DELAY_MS).then(() => this.#cancel());
    completed?.then(cancelLater, cancelLater);
  }

  #cancel(): void {
    // `cancel()` fails if the connection is closed already: nothing is left to cancel then.
    this.#reader.cancel().catch(() => {});
  }
}
