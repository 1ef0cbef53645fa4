/** Large results. Each is sent as fast as its client reads, and its memory stays reserved until all of it has been sent. */

import { freeBuffer } from "../buffer.ts";
import { getLarge, type RequestScope } from "./load.ts";
import type { LargeRequest } from "./large_request.ts";
import type { Holder, Room } from "./room.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A result that is sent in parts. It is larger than 32 KiB, or may become so while it is
 * written.
 */
export class StreamedResult implements Holder {
  startTime = Infinity;
  movedBytes = 0;
  readonly large: LargeRequest;
  readonly #writers: Room;
  readonly #results: Room;
  readonly #completed: Promise<void> | undefined;
  readonly #isFreed: boolean;
  readonly #isStopping: () => boolean;
  #reservedBytes = 0;
  /** All parts of the result; empty after `abort()`. */
  #parts: readonly Bytes[] = [];
  /** Number of parts that have been sent. */
  #sent = 0;

  constructor(scope: RequestScope) {
    this.large = getLarge(scope);
    this.#writers = scope.load.writers;
    this.#results = scope.load.results;
    this.#completed = scope.info?.completed;
    this.#isFreed = scope.load.freesResults;
    this.#isStopping = scope.load.isStopping;
  }

  /**
   * Reserves memory for the result until the total is `bytes`. Returns false if too little
   * is free.
   */
  tryReserve(bytes: number): boolean {
    const added = bytes - this.#reservedBytes;
    const isReserved = added <= 0 || this.#results.tryReserve(this, added);
    if (isReserved) this.#reservedBytes = Math.max(bytes, this.#reservedBytes);
    return isReserved;
  }

  /**
   * Reserves memory for the result until the total is `bytes`. Waits if too little is free,
   * first until no other result is written: its next part must not wait for this result.
   *
   * @throws {HttpError} 503 if the request waits too long, or too many wait; 499 if the
   * client disconnects while the request waits.
   */
  async reserve(bytes: number): Promise<void> {
    if (this.tryReserve(bytes)) return;
    const isWriter = this.#writers.has(this.large);
    if (!isWriter) await this.#writers.reserve(this.large, 1);
    try {
      await this.#results.reserve(this, bytes - this.#reservedBytes);
      this.#reservedBytes = bytes;
    } finally {
      if (!isWriter) this.#writers.release(this.large);
    }
  }

  /** Creates the body of the response from the parts of the result. Each part must have a buffer of its own. */
  stream(parts: Bytes[]): ReadableStream<Bytes> {
    this.#parts = parts;
    // During a shutdown the response is held back, so that the client cannot read it yet.
    this.startTime = this.#isStopping() ? Infinity : performance.now();
    this.#completed?.then(() => {
      const sent = this.#parts;
      this.abort();
      if (!this.#isFreed) return;
      // All parts have been sent, and nothing else reads them. The garbage collector would
      // free their memory much later.
      sent.forEach(({ buffer }) => freeBuffer(buffer));
    }, this.abort);
    return new ReadableStream({
      pull: (controller) => this.#sendPart(controller),
      cancel: this.abort,
    }, { highWaterMark: 0 });
  }

  #sendPart(controller: ReadableStreamDefaultController<Bytes>): void {
    const part = this.#parts[this.#sent];
    // If `abort()` has dropped the parts, the response ends before its
    // `Content-Length`, so that the runtime closes the connection.
    if (part === undefined) return controller.close();
    this.movedBytes += part.byteLength;
    this.#sent += 1;
    controller.enqueue(part);
    if (this.#sent < this.#parts.length) return;
    controller.close();
    // Without the promise `completed` from the server, the result counts as sent when its
    // last part has been handed over.
    if (this.#completed === undefined) this.abort();
  }

  /** Releases the reserved memory, and frees the parts not sent yet: they are never sent. */
  readonly abort = (): void => {
    this.#results.release(this);
    const unsent = this.#parts.slice(this.#sent);
    this.#parts = [];
    unsent.forEach(({ buffer }) => freeBuffer(buffer));
  };
}
