/** Receives the body of a request, and keeps its memory until the answer is ready. */

import { BusyError } from "../load/errors.ts";
import { type LoadLimits, SMALL_BYTES } from "../load/load.ts";
import { Transfer } from "../load/transfer.ts";
import { type Bytes, freeBuffer, resize } from "../values/buffer.ts";
import { BrokenBodyError, checkSize, readLength, toReadError } from "./body.ts";
import { BodyReader } from "./body_reader.ts";
import type { Connections } from "./connections.ts";
import { toHttpError } from "./load_error.ts";
import { NO_BODY } from "./router.ts";
import type { ServeInfo } from "./serve_info.ts";

/** State that the requests of a thread share. */
export interface Shared {
  readonly load: LoadLimits;
  readonly connections: Connections;
  /** Whether no other code uses the requests' bodies, so that their memory may be freed. */
  readonly ownsRequests: boolean;
}

/** The body of one request. */
export class Upload {
  readonly #request: Request;
  readonly #info: ServeInfo;
  readonly #shared: Shared;
  readonly #transfer = new Transfer();
  /** The buffer of the body, if it may be freed because no other code uses it. */
  #buffer: ArrayBuffer | undefined;
  /**
   * Whether the body must be read without a wait: over HTTP/2, an unread body blocks the
   * other requests of its connection.
   */
  #mustRead = false;

  constructor(request: Request, info: ServeInfo, shared: Shared) {
    this.#request = request;
    this.#info = info;
    this.#shared = shared;
  }

  /**
   * Receives the whole body.
   *
   * @throws {HttpError} 400, 408, 413 or 415 if the body cannot be received.
   * @throws {BusyError} if there is no memory for the body, or the service stops before the
   * body has come.
   * @throws {DisconnectError} if the client disconnects while the body waits for memory.
   * @throws {RangeError} if there is no memory for a buffer.
   */
  async receive(): Promise<Bytes> {
    const { load, ownsRequests } = this.#shared;
    const { maxBodyBytes } = load;
    try {
      const length = this.#start();
      const body = length !== undefined && length <= SMALL_BYTES
        ? await this.#receiveSmall(length)
        : await this.#receiveLarge(length);
      load.deadlines.delete(this.#transfer);
      this.#transfer.stopClock();
      if (ownsRequests) this.#buffer = body.buffer;
      checkSize(body.byteLength, { length, maxBodyBytes });
      if (body.byteLength < (length ?? 0)) throw new BrokenBodyError();
      return body;
    } catch (error) {
      // When the service stops, Deno cuts off the bodies that are still coming.
      const isCutOff = error instanceof BrokenBodyError && load.isStopping();
      throw isCutOff ? new BusyError() : error;
    }
  }

  /** Frees the memory of the body now, since the garbage collector would free it late. */
  free(): void {
    if (this.#buffer !== undefined) freeBuffer(this.#buffer);
  }

  /** Ends the time limit of the body, frees its memory, and gives its reservation back. */
  end(): void {
    const { bodies, deadlines } = this.#shared.load;
    deadlines.delete(this.#transfer);
    this.free();
    bodies.release(this.#transfer);
  }

  /**
   * Starts the time limit. Returns the length of the body, or `undefined`, as `readLength()`
   * does.
   */
  #start(): number | undefined {
    const { deadlines, maxBodyBytes } = this.#shared.load;
    const isShared = this.#shared.connections.noteRequest(this.#info);
    const isServed = this.#info.completed !== undefined;
    const length = readLength(this.#request, { isServed, maxBodyBytes });
    this.#mustRead = isShared;
    this.#transfer.startClock();
    deadlines.add(this.#transfer);
    return length;
  }

  /**
   * Receives a body of known length, of up to 64 KiB, in one read. The inner functions must
   * not use `this`: `transfer.abort` would then keep the request in memory for as long as the
   * garbage collector keeps the transfer.
   */
  #receiveSmall(length: number): Promise<Bytes> {
    const transfer = this.#transfer;
    const reading = this.#request.bytes();
    // Deno does not tell how many bytes have come, so all count as received. The body may
    // take `bodyTimeoutMs`, or the time that its length takes at 64 KiB/s (at most 1 s),
    // whichever is longer.
    transfer.moved = length;
    return new Promise((resolve, reject) => {
      // The response with this error needs no `Connection: close` from the service: Deno
      // adds it to a response that is sent before the body has come.
      transfer.abort = (error) => reject(toHttpError(error));
      reading.then(resolve, (error) => reject(toReadError(error)));
    });
  }

  /** Receives a body above 64 KiB, or of unknown length, chunk by chunk. */
  async #receiveLarge(length: number | undefined): Promise<Bytes> {
    if (this.#request.body === null) return NO_BODY;
    this.#mustRead ||= !this.#request.headers.has("host");
    const reader = new BodyReader(this.#request.body);
    this.#transfer.abort = (error) =>
      reader.abort(toHttpError(error, { connection: "close" }));
    const onShared = () => {
      this.#mustRead = true;
      this.#shared.load.bodies.reject(this.#transfer);
    };
    this.#shared.connections.add(this.#info, onShared);
    try {
      return await this.#readAll(reader, length);
    } finally {
      this.#shared.connections.delete(this.#info, onShared);
      reader.close(this.#info.completed);
    }
  }

  /**
   * Reads a body to its end. If there is no memory for the body and it must not wait, all
   * its bytes are read and dropped.
   *
   * @throws {HttpError} the errors of `checkSize()` and of `reader`.
   * @throws {BusyError} if there was no memory for the body.
   * @throws {DisconnectError} if the client disconnects while the body waits.
   */
  async #readAll(
    reader: BodyReader,
    length: number | undefined,
  ): Promise<Bytes> {
    const { maxBodyBytes } = this.#shared.load;
    const transfer = this.#transfer;
    let buffer = new ArrayBuffer();
    let isDropped = false;
    // Stops at a known length, without a read that would find the end of the stream: a read
    // that is pending keeps the connection open.
    while (transfer.moved !== length) {
      const chunk = await reader.read();
      if (chunk === undefined) break;
      const end = transfer.moved + chunk.byteLength;
      checkSize(end, { length, maxBodyBytes });
      if (end > buffer.byteLength && !isDropped) {
        const bytes = await this.#reserve(end, length);
        isDropped = bytes === undefined;
        buffer = resize(buffer, bytes ?? 0);
        this.#buffer = buffer;
      }
      if (!isDropped) new Uint8Array(buffer).set(chunk, transfer.moved);
      transfer.moved = end;
    }
    if (isDropped) throw new BusyError();
    return new Uint8Array(buffer, 0, transfer.moved);
  }

  /**
   * Reserves memory for a whole body, of which `received` bytes have come; for a body of
   * unknown length, reserves `maxBodyBytes`. Returns the size for the buffer of the body,
   * in bytes.
   *
   * While at most 64 KiB have come, does not wait: if the length is unknown, or memory is
   * lacking, reserves nothing and returns 64 KiB. Once more have come, waits if memory is
   * lacking. If the body must not wait, returns `undefined` instead: the body has to be
   * dropped.
   *
   * @throws the errors of `Room.reserve()`.
   */
  async #reserve(
    received: number,
    length: number | undefined,
  ): Promise<number | undefined> {
    const { bodies, maxBodyBytes } = this.#shared.load;
    const transfer = this.#transfer;
    const bytes = length ?? maxBodyBytes;
    const isSmall = received <= SMALL_BYTES;
    // Reserves nothing yet: a body of unknown length may stay small.
    if (isSmall && length === undefined) return SMALL_BYTES;
    if (bodies.tryReserve(transfer, bytes)) return bytes;
    if (isSmall) return SMALL_BYTES;
    if (this.#mustRead) return undefined;
    transfer.stopClock();
    try {
      await bodies.reserve(transfer, bytes, this.#request);
    } catch (error) {
      if (this.#mustRead) return undefined;
      throw error;
    } finally {
      transfer.startClock();
    }
    return bytes;
  }
}
