/** Large results. Each is sent as fast as its client reads, and its memory stays reserved until all of it has been sent. */

import { getLarge, type RequestScope } from "./load.ts";
import type { LargeRequest } from "./large_request.ts";
import type { Holder, Room } from "./room.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A result that is larger than 32 KiB, or may grow beyond that while it is written. */
export class StreamedResult implements Holder {
  startTime = Infinity;
  movedBytes = 0;
  readonly large: LargeRequest;
  readonly #room: Room;
  readonly #completed: Promise<void> | undefined;
  #reservedBytes = 0;
  #parts: Bytes[] = [];

  constructor(scope: RequestScope) {
    this.large = getLarge(scope);
    this.#room = scope.load.results;
    this.#completed = scope.info?.completed;
  }

  /** Increases the reserved memory to a total, in bytes, if that much is free. Returns whether the total is now reserved. */
  tryReserve(bytes: number): boolean {
    const added = bytes - this.#reservedBytes;
    if (added > 0 && !this.#room.tryReserve(this, added)) return false;
    this.#reservedBytes = bytes;
    return true;
  }

  /**
   * Increases the reserved memory to a total, in bytes, and waits if too little is free.
   *
   * @throws {HttpError} 503 if the request waits too long, or too many wait; 499 if the
   * client disconnects while the request waits.
   */
  async reserve(bytes: number): Promise<void> {
    const added = bytes - this.#reservedBytes;
    if (added <= 0) return;
    await this.#room.reserve(this, added);
    this.#reservedBytes = bytes;
  }

  /** Creates the body of the response from the parts of the result. Each part must have a buffer of its own. */
  stream(parts: Bytes[]): ReadableStream<Bytes> {
    this.#parts = parts.reverse();
    this.startTime = performance.now();
    this.#completed?.then(this.abort, this.abort);
    return new ReadableStream({
      pull: (controller) => this.#sendPart(controller),
      cancel: this.abort,
    }, { highWaterMark: 0 });
  }

  #sendPart(controller: ReadableStreamDefaultController<Bytes>): void {
    const part = this.#parts.pop();
    // After `abort()` there are no more parts. The response ends before its `Content-Length`, so the runtime closes the connection.
    if (part === undefined) return controller.close();
    this.movedBytes += part.byteLength;
    controller.enqueue(part);
    if (this.#parts.length > 0) return;
    controller.close();
    // If the server gives no `completed` promise, the end of the stream counts as sent.
    if (this.#completed === undefined) this.abort();
  }

  /** Releases the reserved memory, and drops the parts that have not been sent. */
  readonly abort = (): void => {
    this.#room.release(this);
    this.#parts = [];
  };
}
