/** A request body on its way in. */

import { HttpError } from "./errors.ts";
import { SMALL_BYTES, type Transfer } from "./memory.ts";

/** Largest view that a read is offered, in bytes. */
const MAX_VIEW_BYTES = 64 * 1024;

/**
 * Smallest view that a read is offered, in bytes. In Deno 2.9.6 a read of a
 * chunked body into a view of a few bytes never resolves.
 */
const MIN_VIEW_BYTES = 64;

/** A body that arrives piece by piece, in a buffer that grows with it. */
export class Arrival implements Transfer {
  startTime = performance.now();
  movedBytes = 0;
  readonly #reader: ReadableStreamBYOBReader;
  readonly #expectedBytes: number;
  /** The bytes received, and free room behind them. */
  #buffer = new Uint8Array(SMALL_BYTES + MIN_VIEW_BYTES);
  #refusal: HttpError | undefined;

  constructor(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    { expectedBytes }: { expectedBytes: number },
  ) {
    this.#reader = getByteReader(body);
    this.#expectedBytes = expectedBytes;
  }

  /** What has come. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.movedBytes);
  }

  /** Whether the buffer must grow before the next read. */
  get isFull(): boolean {
    return this.#buffer.byteLength - this.movedBytes < MIN_VIEW_BYTES;
  }

  /**
   * The size that a full buffer should grow to, in bytes: four times its own,
   * or, if that is enough, the expected size and the smallest view.
   */
  get nextCapacity(): number {
    const capacity = 4 * this.#buffer.byteLength;
    return this.movedBytes > this.#expectedBytes
      ? capacity
      : Math.min(capacity, this.#expectedBytes + MIN_VIEW_BYTES);
  }

  /** Grows the buffer. */
  grow(capacity: number): void {
    // Frees what it has at once, which a copy would leave to be collected.
    this.#buffer = new Uint8Array(this.#buffer.buffer.transfer(capacity));
  }

  /**
   * Reads a piece into the free room; whether there may be more.
   *
   * @throws {HttpError} 400 where the body breaks off, and the error with which
   * it was refused meanwhile.
   */
  async readPiece(): Promise<boolean> {
    const free = this.#buffer.subarray(
      this.movedBytes,
      this.movedBytes + MAX_VIEW_BYTES,
    );
    const { done, value } = await this.#reader.read(free).catch(() => {
      throw this.#refusal ?? brokenOff();
    });
    if (this.#refusal !== undefined) throw this.#refusal;
    // The reader took the buffer, and hands it back with the piece, but for a
    // body that was cancelled, which is one that was refused.
    this.#buffer = new Uint8Array(value!.buffer);
    this.movedBytes += value!.byteLength;
    return !done;
  }

  /** Stops the reading: the next or pending `readPiece()` throws the error. */
  refuse(error: HttpError): void {
    this.#refusal = error;
    // Lets the rest drain, so that the connection stays usable. It fails where
    // the connection is gone: then there is nothing to drain.
    this.#reader.cancel().catch(() => {});
  }

  giveUp(): void {
    this.refuse(tooManyBodies());
  }
}

/** Reads a body into given buffers. One that has arrived already must be wrapped. */
function getByteReader(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStreamBYOBReader {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    // It is no stream of bytes.
  }
  const reader = body.getReader();
  const bytes = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return controller.byobRequest!.respond(0);
        }
        if (value.byteLength > 0) return controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return bytes.getReader({ mode: "byob" });
}

/** What a client is told for whose body there is no room. */
export function tooManyBodies(): HttpError {
  return new HttpError(
    503,
    "too many large bodies are arriving, please try again",
    { "retry-after": "1" },
  );
}

/** What a client is told whose body ends too soon. */
export function brokenOff(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}
