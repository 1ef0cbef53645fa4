/** Receives request bodies whose memory is limited: large ones, and those of unknown length. */

import { setImmediate, setTimeout } from "node:timers/promises";
import { HttpError } from "../http_error.ts";
import { getLarge, type RequestScope, SMALL_BYTES } from "./load.ts";
import { getReader, type Reader } from "./body_reader.ts";
import type { LargeRequest } from "./large_request.ts";
import { PAGE_BYTES, Pages } from "./pages.ts";
import { createBusyError, type Holder } from "./room.ts";

/** Largest number of chunks in which a body may come if the chunks average fewer than `MIN_CHUNK_BYTES` bytes. */
const MAX_SMALL_CHUNKS = 16_384;
/** Average size below which the chunks of a body count as small, in bytes. */
const MIN_CHUNK_BYTES = 16;
const CHUNKS_MESSAGE =
  `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`;

/** Number of chunks that are read between two pauses for other requests. */
const CHUNKS_PER_ROUND = 16;
/** Length of a pause between chunks in a body of many small chunks, in milliseconds. */
const SMALL_CHUNKS_PAUSE_MS = 4;

/** Time between the end of a response and the closing of its connection, in milliseconds. */
const CLOSE_DELAY_MS = 50;

type Bytes = Uint8Array<ArrayBuffer>;

/** If more requests than this wait for memory, the connections of large requests are closed after their responses. */
const MANY_WAITING = 96;

/** A client counts as stalled if more checks of the queue than this (`Room.checks`, every 25 ms) pass without a new chunk. */
const STANDING_CHECKS = 3;

const NO_VIEW = new Uint8Array();

/** A request body that is being received into buffers of a fixed size (see `pages.ts`). */
export class BodyBuffer implements Holder {
  startTime = Infinity;
  movedBytes = 0;
  readonly large: LargeRequest;
  readonly #scope: RequestScope;
  readonly #reader: Reader;
  /** Whether the reader writes chunks into the buffers that it is given; otherwise it allocates a buffer for each chunk. */
  readonly #hasViews: boolean;
  /** `Content-Length`, in bytes; 0 if there is none. */
  readonly #claimedBytes: number;
  /** Whether `Content-Length` is above 32 KiB. */
  readonly #isLarge: boolean;
  /** Whether `Content-Length` is certain to be the length of the body. */
  readonly #isLengthRight: boolean;
  /**
   * Whether reading may wait for memory; false over HTTP/2. There, an unread body blocks
   * the other streams of its connection; and after a response before the end of the body,
   * some clients end the other streams. Deno does not tell the version of HTTP, but only
   * HTTP/2 requests have no Host header.
   */
  readonly #canWait: boolean;
  readonly #pages = new Pages();
  #reservedBytes = 0;
  /** Value of the counter `Room.checks` (25 ms each) when the last chunk arrived, or when a wait for memory ended; `Infinity` during such a wait. Shows whether the client has stalled. */
  #activeChecks = Infinity;
  /** Value of the counter `Room.checks` (25 ms each) when the reading of the body began; `Infinity` before. Shows how fast the body has arrived on average. */
  #startChecks = Infinity;
  #isComplete = false;
  #isDiscarded = false;
  #error: HttpError | undefined;
  #mustClose = false;

  constructor(scope: RequestScope, stream: ReadableStream<Bytes>) {
    this.#scope = scope;
    this.large = getLarge(scope);
    const reader = getReader(stream, scope.info);
    this.#reader = reader;
    this.#hasViews = reader instanceof ReadableStreamBYOBReader;
    const { headers } = scope.request;
    this.#claimedBytes = Number(headers.get("content-length"));
    this.#isLarge = this.#claimedBytes > SMALL_BYTES;
    this.#canWait = headers.get("host") !== null;
    this.#isLengthRight = this.#canWait && this.#claimedBytes > 0 &&
      headers.get("transfer-encoding") === null;
  }

  /**
   * Reads to the end of the body. A large body waits whenever no memory is free for its
   * next part.
   *
   * @throws {HttpError} 413, 408, 503, 499 or 400, as `readBody()` of `lib/http/body.ts`.
   */
  async receive(): Promise<void> {
    // Deno notices a disconnection only after `signal` has been read. Over HTTP/2, reading it after a reset of the stream would be too late.
    if (!this.#canWait) void this.large.signal;
    this.#scope.load.deadlines.add(this);
    for (let chunks = 1; await this.#readChunk(); chunks += 1) {
      const areSmall = this.movedBytes < MIN_CHUNK_BYTES * chunks;
      this.#mustClose = areSmall && chunks > MAX_SMALL_CHUNKS;
      if (this.#mustClose) throw new HttpError(400, CHUNKS_MESSAGE);
      if (chunks % CHUNKS_PER_ROUND !== 0) continue;
      const isSlowed = areSmall && chunks > MAX_SMALL_CHUNKS / 2;
      await (isSlowed ? setTimeout(SMALL_CHUNKS_PAUSE_MS) : setImmediate());
    }
    // The client has sent everything, so it can no longer be slow.
    this.startTime = Infinity;
    this.#isComplete = true;
    if (this.#isDiscarded) throw createBusyError();
  }

  /** Reads a chunk. Returns false at the end of the body. */
  async #readChunk(): Promise<boolean> {
    // The end of the stream stays unread: only then can cancelling the stream close the connection, see `release()`.
    if (this.#isLengthRight && this.movedBytes === this.#claimedBytes) {
      return false;
    }
    const waiting = this.#reserve();
    if (waiting !== undefined) await this.#pause(waiting);
    else if (this.startTime === Infinity) {
      this.startTime = performance.now();
      this.#noteActivity();
    }
    const { value, done } = await this.#read().catch(() => {
      throw this.#error ?? createBrokenError();
    });
    if (this.#error !== undefined) throw this.#error;
    if (done) {
      if (value !== undefined) this.#pages.keep(value);
      return false;
    }
    if (!(value instanceof Uint8Array)) throw new TypeError("no Uint8Array");
    this.movedBytes += value.byteLength;
    this.#noteActivity();
    const { maxBodyBytes } = this.#scope.load;
    if (this.movedBytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
    if (this.#hasViews) this.#pages.keep(value);
    else if (!this.#isDiscarded) this.#pages.copy(value);
    return true;
  }

  #read(): Promise<ReadableStreamReadResult<Bytes>> {
    return this.#reader.read(
      this.#hasViews ? this.#pages.getFree() : NO_VIEW,
    );
  }

  /** Reserves memory for another buffer (see `pages.ts`) if the next chunk needs one. Returns a promise if the body has to wait for the memory. */
  #reserve(): Promise<void> | undefined {
    if (this.#isDiscarded) return undefined;
    if (!this.#isLarge && this.movedBytes <= SMALL_BYTES) return undefined;
    const neededBytes = this.#hasViews ? this.#pages.neededBytes : PAGE_BYTES;
    const needed = this.movedBytes + neededBytes;
    const most = this.#isLarge
      ? Math.max(this.#claimedBytes, this.movedBytes)
      : Infinity;
    const missing = Math.min(needed, most) - this.#reservedBytes;
    if (neededBytes === 0 || missing <= 0) return undefined;
    const { bodies } = this.#scope.load;
    const waiting = this.#canWait
      ? bodies.reserve(this, missing)
      : bodies.tryReserve(this, missing)
      ? undefined
      : this.#discard();
    this.#reservedBytes += missing;
    return waiting;
  }

  /** Number of bytes of the body for which memory is not reserved yet; 0 if the client has stalled. */
  get outstanding(): number {
    // Idleness is counted in checks, not in time: even on a busy machine, a chunk that has come is read before the next check.
    const idleChecks = this.#scope.load.bodies.checks - this.#activeChecks;
    if (!this.#canWait || this.#isComplete || idleChecks > STANDING_CHECKS) {
      return 0;
    }
    return Math.max(this.#claimedBytes - this.#reservedBytes, 0);
  }

  /** Whether the whole body has arrived, or is expected soon because at least 64 KiB have come for each check of the queue (every 25 ms) since the first read. */
  get isReady(): boolean {
    const checks = this.#scope.load.bodies.checks - this.#startChecks;
    return this.#isComplete || this.movedBytes >= checks * PAGE_BYTES;
  }

  /** Waits for memory. The waiting time does not lower the client's average rate. */
  async #pause(waiting: Promise<void>): Promise<void> {
    const elapsed = performance.now() - this.startTime;
    this.startTime = Infinity;
    this.#activeChecks = Infinity;
    await waiting;
    if (this.#error !== undefined) throw this.#error;
    this.startTime = performance.now() - Math.max(elapsed, 0);
    this.#noteActivity();
  }

  #noteActivity(): void {
    this.#activeChecks = this.#scope.load.bodies.checks;
    this.#startChecks = Math.min(this.#startChecks, this.#activeChecks);
  }

  /** Drops the bytes of the body, those received and those to come; the response will be 503. */
  #discard(): undefined {
    const { bodies, waitLog } = this.#scope.load;
    waitLog.noteRefusal();
    this.#isDiscarded = true;
    this.#pages.discard();
    bodies.release(this);
  }

  /** Returns the bytes of the body, which must not be used after `release()`. */
  join(): Bytes {
    // From here on the bytes count as memory for the work on the request, which has been reserved already.
    this.#scope.load.bodies.release(this);
    return this.#pages.join();
  }

  /** Ends the reading: `receive()` throws the error, and the runtime discards the rest of the body. */
  abort(error: HttpError): void {
    this.#error ??= error;
    this.#cancel();
  }

  #cancel(): void {
    // Cancelling fails if the connection is closed; then there is nothing left to cancel.
    this.#reader.cancel().catch(() => {});
  }

  /** Ends the checks of the client's rate, and frees the reserved memory and the buffers: the bytes must not be used any more. */
  release(): void {
    const { load, info } = this.#scope;
    load.deadlines.delete(this);
    load.bodies.release(this);
    this.#pages.free();
    // After large bodies, Deno 2.9.6 keeps up to 0.8 MiB for an idle connection. So the connection is closed if many requests
    // wait for memory. HTTP/2 does not allow `Connection: close`.
    if (this.#canWait && this.#isComplete) {
      this.large.mustClose = load.bodies.waiting > MANY_WAITING;
    }
    if (!this.#mustClose && !this.large.mustClose) return this.#cancel();
    // `Connection: close` alone does not make Deno close the connection; cancelling the request's body after the response does.
    // Reading the rest instead would take up to two minutes for a million small chunks (Deno 2.9.6).
    const close = () => setTimeout(CLOSE_DELAY_MS).then(() => this.#cancel());
    info?.completed?.then(close, close);
  }
}

/** Creates the 413 error for a body above the limit. */
export function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

/** Creates the 400 error for a body that breaks off before its end. */
export function createBrokenError(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}
