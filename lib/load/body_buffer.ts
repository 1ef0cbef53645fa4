/** Bodies that are counted while they are received: large ones, and those of unknown length. */

import { setImmediate, setTimeout } from "node:timers/promises";
import { HttpError } from "../http_error.ts";
import { getLarge, type RequestScope, SMALL_BYTES } from "./load.ts";
import { getReader, type Reader } from "./body_reader.ts";
import type { LargeRequest } from "./large_request.ts";
import { PAGE_BYTES, Pages } from "./pages.ts";
import { createBusyError, type Holder } from "./room.ts";

/** Most chunks of a body if they are small, and the average size from which they are not, in bytes. */
const MAX_SMALL_CHUNKS = 16_384;
const MIN_CHUNK_BYTES = 16;
const CHUNKS_MESSAGE =
  `the body must not come in more than ${MAX_SMALL_CHUNKS} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`;

/** Chunks between two pauses for other requests, and the longest such pause, in milliseconds. */
const CHUNKS_PER_ROUND = 16;
const SMALL_CHUNKS_PAUSE_MS = 4;

/** Time from the end of a response to the closing of its connection, in milliseconds. */
const CLOSE_DELAY_MS = 50;

type Bytes = Uint8Array<ArrayBuffer>;

/** Number of waiting requests above which connections are closed after their answer. */
const MANY_WAITING = 32;

/** Checks of the room without a chunk after which a client stands still: about 100 ms. */
const STANDING_CHECKS = 3;

const NO_VIEW = new Uint8Array();

/** A body that is received in pages. */
export class BodyBuffer implements Holder {
  startTime = Infinity;
  movedBytes = 0;
  readonly large: LargeRequest;
  readonly #scope: RequestScope;
  readonly #reader: Reader;
  /** Whether chunks are read into pages; else each has a buffer of its own. */
  readonly #hasViews: boolean;
  /** The length of the body if it is known, else 0. */
  readonly #claimedBytes: number;
  /** Whether the length is known and above 32 KiB. */
  readonly #isLarge: boolean;
  /** Whether the body has exactly the length that it claims. */
  readonly #isLengthRight: boolean;
  /**
   * Whether it can wait unread. An HTTP/2 stream would stop the others of its connection,
   * and an answer before its end makes some clients end them all. Deno does not give the
   * version, but HTTP/2 requests have no Host.
   */
  readonly #canWait: boolean;
  readonly #pages = new Pages();
  #reservedBytes = 0;
  /** Number of checks of the room before the last chunk, or before the client could send. */
  #activeChecks = Infinity;
  /** Number of checks of the room before the client could first send. */
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
   * Reads to the end of the body, after waiting for room if it is large.
   *
   * @throws {HttpError} 413, 408, 503 or 400, in the cases of `readBody()`.
   */
  async receive(): Promise<void> {
    // Read before the client can reset its HTTP/2 stream; it costs time.
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
    // From here on the client waits for the service.
    this.startTime = Infinity;
    this.#isComplete = true;
    if (this.#isDiscarded) throw createBusyError();
  }

  /** Reads a chunk. Returns false at the end of the body. */
  async #readChunk(): Promise<boolean> {
    // A body that is read to its last byte, and no further, can be cancelled later.
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

  /** Reserves room for another page, if the next chunk needs one that is counted. */
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

  /** Bytes to come for which there is no room yet; 0 if the client stands still. */
  get outstanding(): number {
    // Between two checks, a chunk that has come is read, however busy the machine is.
    const idleChecks = this.#scope.load.bodies.checks - this.#activeChecks;
    if (!this.#canWait || this.#isComplete || idleChecks > STANDING_CHECKS) {
      return 0;
    }
    return Math.max(this.#claimedBytes - this.#reservedBytes, 0);
  }

  /** Whether it has come whole, or so far as fast as it can be read. */
  get isReady(): boolean {
    const checks = this.#scope.load.bodies.checks - this.#startChecks;
    return this.#isComplete || this.movedBytes >= checks * PAGE_BYTES;
  }

  /** Waits for room. The client is not to blame for that time. */
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

  /** Keeps nothing of the body from here on. */
  #discard(): undefined {
    const { bodies, waitLog } = this.#scope.load;
    waitLog.noteRefusal();
    this.#isDiscarded = true;
    this.#pages.discard();
    bodies.release(this);
  }

  /** Returns the bytes of the body, which `release()` frees. */
  join(): Bytes {
    // From here on the bytes count as those of work.
    this.#scope.load.bodies.release(this);
    return this.#pages.join();
  }

  /** Ends the reading: `receive()` throws the error. The rest of the body drains. */
  abort(error: HttpError): void {
    this.#error ??= error;
    this.#cancel();
  }

  #cancel(): void {
    // It fails if the connection is gone.
    this.#reader.cancel().catch(() => {});
  }

  /** Ends everything that `receive()` has begun. The bytes must not be used any more. */
  release(): void {
    const { load, info } = this.#scope;
    load.deadlines.delete(this);
    load.bodies.release(this);
    this.#pages.free();
    // A connection that waits after large bodies keeps up to 0.8 MiB (Deno 2.9.6).
    // HTTP/2 does not allow the header.
    if (this.#canWait && this.#isComplete) {
      this.large.mustClose = load.bodies.waiting > MANY_WAITING;
    }
    if (!this.#mustClose && !this.large.mustClose) return this.#cancel();
    // If a body is cancelled after the response, the runtime closes the connection, as it
    // does not for the header alone. To drain a million small chunks would take up to two
    // minutes.
    const close = () => setTimeout(CLOSE_DELAY_MS).then(() => this.#cancel());
    info?.completed?.then(close, close);
  }
}

/** Creates the error for a body above the limit. */
export function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

/** Creates the error for a body that ends too early. */
export function createBrokenError(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}
