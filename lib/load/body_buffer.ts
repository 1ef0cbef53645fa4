/**
 * Receives large request bodies, and those of unknown length. The memory that all of them
 * take together is limited.
 */

import { setImmediate, setTimeout } from "node:timers/promises";
import { HttpError } from "../http_error.ts";
import { getLarge, type RequestScope, SMALL_BYTES } from "./load.ts";
import { getReader, type Reader } from "./body_reader.ts";
import type { LargeRequest } from "./large_request.ts";
import { ClientPace } from "./client_pace.ts";
import { PAGE_BYTES, Pages } from "./pages.ts";
import type { Holder } from "./room.ts";
import { createBusyError } from "./wait_queue.ts";

/**
 * Largest number of chunks of a body whose chunks have fewer than `MIN_CHUNK_BYTES` bytes
 * on average. A body of more such chunks is rejected with 400.
 */
const MAX_SMALL_CHUNKS = 16_384;
/**
 * Average size of a body's chunks, in bytes, below which `MAX_SMALL_CHUNKS` limits their
 * number.
 */
const MIN_CHUNK_BYTES = 16;
const CHUNKS_MESSAGE =
  `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`;

/**
 * Number of chunks of a body after which the reading pauses, so that other requests are
 * answered.
 */
const CHUNKS_PER_ROUND = 16;
/**
 * Length of a pause in the reading of a body that has come in very many small chunks (more
 * than half of `MAX_SMALL_CHUNKS`), in milliseconds.
 */
const SMALL_CHUNKS_PAUSE_MS = 4;

/**
 * Time between the end of a response and the closing of its connection, if the connection
 * is to be closed, in milliseconds.
 */
const CLOSE_DELAY_MS = 50;

type Bytes = Uint8Array<ArrayBuffer>;

const NO_VIEW = new Uint8Array();

/**
 * A request body that is being received into buffers of fixed sizes. For a large body,
 * memory is reserved for each buffer before it is filled.
 */
export class BodyBuffer implements Holder {
  startTime = Infinity;
  movedBytes = 0;
  readonly large: LargeRequest;
  readonly #scope: RequestScope;
  readonly #reader: Reader;
  /**
   * Whether `#reader` writes chunks into buffers that it is given. Otherwise it returns
   * each chunk in a new buffer.
   */
  readonly #hasViews: boolean;
  /** `Content-Length`, in bytes; 0 if there is none, or several. */
  readonly #claimedBytes: number;
  /** Whether `Content-Length` is above 32 KiB. */
  readonly #isLarge: boolean;
  /** Whether `Content-Length` is certain to be the length of the body. */
  readonly #isLengthRight: boolean;
  /**
   * Whether the body may wait for memory; false over HTTP/2, where a body that is not
   * read blocks the other requests on its connection. HTTP/2 is recognized by the missing
   * Host header, since Deno does not tell the version of HTTP.
   */
  readonly canWait: boolean;
  readonly #pages = new Pages();
  readonly #pace: ClientPace;
  #reservedBytes = 0;
  #isComplete = false;
  #isDiscarded = false;
  #error: HttpError | undefined;
  #mustClose = false;

  constructor(scope: RequestScope, stream: ReadableStream<Bytes>) {
    this.#scope = scope;
    this.large = getLarge(scope);
    this.#pace = new ClientPace(scope.load.bodies);
    const reader = getReader(stream, scope.info);
    this.#reader = reader;
    this.#hasViews = reader instanceof ReadableStreamBYOBReader;
    const { headers } = scope.request;
    // Deno accepts a field that comes twice with the same value, and joins the values.
    this.#claimedBytes = Number(headers.get("content-length")) || 0;
    this.#isLarge = this.#claimedBytes > SMALL_BYTES;
    this.canWait = headers.get("host") !== null;
    this.#isLengthRight = this.canWait && this.#claimedBytes > 0 &&
      headers.get("transfer-encoding") === null;
  }

  /**
   * Reads the body to its end. If no memory is free for the next part of a large body,
   * waits for it; over HTTP/2, drops the body instead.
   *
   * @throws {HttpError} 413 for a body above the limit, 408 for one that arrives too late,
   * 503 if there is no memory for it, 499 if the client disconnects while its request
   * waits, 400 for a body that breaks off or comes in too many small chunks.
   */
  async receive(): Promise<void> {
    // Over HTTP/2, creates the signal that aborts when the client disconnects. If it were
    // first read after the client has reset the stream, it would never abort.
    if (!this.canWait) void this.large.signal;
    this.#scope.load.deadlines.add(this);
    for (let chunks = 1; await this.#readChunk(); chunks += 1) {
      const areSmall = this.movedBytes < MIN_CHUNK_BYTES * chunks;
      this.#mustClose = areSmall && chunks > MAX_SMALL_CHUNKS;
      if (this.#mustClose) throw new HttpError(400, CHUNKS_MESSAGE);
      if (chunks % CHUNKS_PER_ROUND !== 0) continue;
      const isSlowed = areSmall && chunks > MAX_SMALL_CHUNKS / 2;
      await (isSlowed ? setTimeout(SMALL_CHUNKS_PAUSE_MS) : setImmediate());
    }
    // The client has sent everything, so its rate is not checked any more.
    this.startTime = Infinity;
    this.#isComplete = true;
    if (this.#isDiscarded) throw createBusyError();
  }

  /** Reads the next chunk. Returns false at the end of the body. */
  async #readChunk(): Promise<boolean> {
    // All bytes have come. The end of the stream is not read: to close the connection,
    // `release()` has to cancel the stream before its end has been read.
    if (this.#isLengthRight && this.movedBytes === this.#claimedBytes) {
      return false;
    }
    // The body was aborted between two reads. It must not reserve memory again.
    if (this.#error !== undefined) throw this.#error;
    const waiting = this.#reserve();
    if (waiting !== undefined) await this.#pause(waiting);
    else if (this.startTime === Infinity) {
      this.startTime = performance.now();
      this.#pace.noteActivity();
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
    this.#pace.noteActivity();
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

  /**
   * Reserves memory for a new buffer if the next chunk needs one. Returns a promise if the
   * body has to wait for the memory, otherwise `undefined`.
   */
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
    const waiting = this.canWait
      ? bodies.reserve(this, missing)
      : bodies.tryReserve(this, missing)
      ? undefined
      : this.#discard();
    this.#reservedBytes += missing;
    return waiting;
  }

  /** Number of bytes of the body for which memory is not reserved yet; 0 if the client has stalled. */
  get outstanding(): number {
    if (!this.canWait || this.#isComplete || this.#pace.hasStalled) {
      return 0;
    }
    return Math.max(this.#claimedBytes - this.#reservedBytes, 0);
  }

  /**
   * Whether the whole body has arrived, or will arrive soon because its client is fast: on
   * average, at least 64 KiB have come every 25 ms.
   */
  get isReady(): boolean {
    return this.#isComplete || this.#pace.isFast(this.movedBytes);
  }

  /**
   * Waits until memory is reserved for the next chunk. The time of this wait is not counted
   * in the client's rate.
   */
  async #pause(waiting: Promise<void>): Promise<void> {
    const elapsed = performance.now() - this.startTime;
    this.startTime = Infinity;
    this.#pace.pause();
    await waiting;
    this.startTime = performance.now() - Math.max(elapsed, 0);
    this.#pace.noteActivity();
  }

  /**
   * Drops the bytes of the body, those received and those to come; the response will be
   * 503. The body is still read to its end: if the response came before, some clients would
   * end the other requests on the HTTP/2 connection.
   */
  #discard(): undefined {
    const { bodies, waitLog } = this.#scope.load;
    waitLog.noteRefusal();
    this.#isDiscarded = true;
    this.#pages.discard();
    bodies.release(this);
  }

  /**
   * Returns the bytes of the body. They must not be used after `release()`, which gives
   * their memory to later bodies.
   */
  join(): Bytes {
    // The memory reserved for receiving the body is released. For the work on a large body,
    // other memory is reserved already, with space for the body.
    this.#scope.load.bodies.release(this);
    return this.#pages.join();
  }

  /**
   * Ends the reading. `receive()` throws the error, and the runtime discards the rest of
   * the body.
   */
  abort(error: HttpError): void {
    this.#error ??= error;
    this.#cancel();
  }

  #cancel(): void {
    // Cancelling fails if the connection is closed already. Nothing has to be done then.
    this.#reader.cancel().catch(() => {});
  }

  /**
   * Frees the reserved memory and the buffers, and ends the checks of the client's rate.
   * The bytes of the body must not be used any more.
   */
  release(): void {
    const { load, info } = this.#scope;
    load.deadlines.delete(this);
    load.bodies.release(this);
    this.#pages.free();
    // If many requests wait for memory, connections are closed after their responses, so
    // that about `keptConnections` of them stay open. HTTP/2 does not allow
    // `Connection: close`.
    if (this.canWait && this.#isComplete) {
      const place = Math.random() * load.bodies.waiting;
      this.large.mustClose = place > load.keptConnections;
    }
    if (!this.#mustClose && !this.large.mustClose) return this.#cancel();
    // To close the connection, the request's body is cancelled after the response; the
    // header `Connection: close` alone does not close it. Otherwise Deno would read the
    // rest of the body, for up to two minutes if it has a million small chunks (Deno
    // 2.9.6).
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
