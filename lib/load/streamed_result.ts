/** Large results: counted while they are written and sent, streamed as their clients read them. */

import { getLarge, type RequestScope } from "./load.ts";
import type { LargeRequest } from "./large_request.ts";
import type { Holder, Room } from "./room.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A result above 32 KiB, or one that may become as large. */
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

  /** Reserves room for a number of bytes in all. Returns whether there was room at once. */
  tryReserve(bytes: number): boolean {
    const added = bytes - this.#reservedBytes;
    if (added > 0 && !this.#room.tryReserve(this, added)) return false;
    this.#reservedBytes = bytes;
    return true;
  }

  /**
   * Reserves room for a number of bytes in all, after waiting for it.
   *
   * @throws {HttpError} 503 or 499, in the cases of `Room.reserve()`.
   */
  async reserve(bytes: number): Promise<void> {
    const added = bytes - this.#reservedBytes;
    if (added <= 0) return;
    await this.#room.reserve(this, added);
    this.#reservedBytes = bytes;
  }

  /** Makes the body of the response of its parts, each with a buffer of its own. */
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
    // An aborted response is shorter than its `Content-Length`, which closes the connection.
    if (part === undefined) return controller.close();
    this.movedBytes += part.byteLength;
    controller.enqueue(part);
    if (this.#parts.length > 0) return;
    controller.close();
    // Without `completed`, only the end of the stream is known.
    if (this.#completed === undefined) this.abort();
  }

  /** Releases the room, and the parts that have not been sent. */
  readonly abort = (): void => {
    this.#room.release(this);
    this.#parts = [];
  };
}
