/** Large results: counted while they are written and sent, streamed as their clients read them. */

import type { Transfer } from "./budget.ts";
import type { Load } from "./load.ts";

/** Bytes that are handed to the runtime at a time. */
const CHUNK_BYTES = 64 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** A result above 32 KiB, or one that may become as large. */
export class Result implements Transfer {
  startTime = Infinity;
  movedBytes = 0;
  readonly #load: Load;
  #bytes: Bytes = new Uint8Array();

  constructor(load: Load) {
    this.#load = load;
  }

  /**
   * Makes the body of the response, which frees the bytes once they have left.
   *
   * @throws {HttpError} 503 with `Retry-After` if the budget has no room for them.
   */
  stream(bytes: Bytes): ReadableStream<Bytes> {
    this.#load.budget.reserve(this, bytes.buffer.byteLength);
    this.#bytes = bytes;
    this.startTime = performance.now();
    const abort = () => this.abort();
    this.#load.info?.completed?.then(abort, abort);
    return new ReadableStream({
      pull: (controller) => this.#sendChunk(controller),
      cancel: abort,
    }, { highWaterMark: 0 });
  }

  #sendChunk(controller: ReadableStreamDefaultController<Bytes>): void {
    const start = this.movedBytes;
    const chunk = this.#bytes.subarray(start, start + CHUNK_BYTES);
    this.movedBytes += chunk.byteLength;
    if (chunk.byteLength > 0) return controller.enqueue(chunk);
    controller.close();
    // Without `completed`, only the end of the stream is known.
    if (this.#load.info?.completed === undefined) this.abort();
  }

  /**
   * Frees the bytes. A response that is not complete then ends short of its
   * `Content-Length`, which closes the connection.
   */
  abort(): void {
    this.#load.budget.release(this);
    // Without `completed`, a reader in process may still use them.
    if (this.#load.info?.completed) this.#bytes.buffer.transfer(0);
    this.#bytes = new Uint8Array();
  }
}
