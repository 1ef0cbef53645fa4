/**
 * Answers POST requests: receives the body, computes the answer, and sends it. Bodies and
 * answers of up to 64 KiB are small. A small body does not wait. A large body waits until a
 * `Room` has memory for it, and then for its turn to compute. An answer that is large, or
 * that its operation expects to be large, waits for memory of a second `Room`.
 *
 * No request waits forever: a wait for memory ends after at most 10 s, with memory or an
 * error. Requests do not wait in a circle either. A body waits for memory of other bodies,
 * each of which keeps its memory at most until its response is ready. An answer waits only
 * for memory of other answers, each of which keeps its memory at most until it is sent.
 * While a request waits for memory of a room, transfers that have memory of this room are
 * aborted if they have taken over a second longer than their bytes so far would take at
 * 64 KiB/s.
 *
 * The two rooms bound the memory. A body reserves its memory before more than 64 KiB of it
 * are kept, a large answer before it is computed. Only an answer whose operation does not
 * pass its size to `pause()` is computed first, and then waits. Such an answer has at most
 * 4/3 of the bytes of its body (an encoding to Base64), or at most 288 KiB (48 KiB decoded
 * from Base64, each byte of which takes up to six bytes in JSON).
 */

import { Buffer } from "node:buffer";
import { type Bytes, freeBuffer, resize } from "../values/buffer.ts";
import { BusyError, DisconnectError, LateError } from "../load/errors.ts";
import type { LoadLimits } from "../load/load.ts";
import { Transfer } from "../load/transfer.ts";
import type { Pause } from "../operation/operation.ts";
import { type Answer, JSON_TYPE, toJsonText, toResponse } from "./answer.ts";
import { createSizeError, readLength, toReadError } from "./body.ts";
import { BodyReader } from "./body_reader.ts";
import type { Connections } from "./connections.ts";
import { HttpError } from "./http_error.ts";
import { NO_BODY } from "./router.ts";
import type { ServeInfo } from "./serve_info.ts";

/** Largest body or answer that counts as small, in bytes, inclusive. */
const SMALL_BYTES = 64 * 1024;

/** Size of the parts in which an answer is sent that is larger than one part, in bytes. */
const PART_BYTES = 256 * 1024;

const utf8Encoder = new TextEncoder();

/** Computes the answer to a request from its body, or throws an `HttpError`. */
export type Handle = (body: Bytes, pause: Pause) => Answer | Promise<Answer>;

/** State that the requests of a thread share. */
interface Shared {
  readonly load: LoadLimits;
  readonly connections: Connections;
  /** Whether no other code uses the requests' bodies, so that their memory may be freed. */
  readonly ownsRequests: boolean;
}

/** One POST request and its answer. */
export class Exchange {
  readonly #request: Request;
  readonly #info: ServeInfo;
  readonly #shared: Shared;
  readonly #upload = new Transfer();
  readonly #download = new Transfer();
  /** The buffer of the body, if it may be freed because no other code uses it. */
  #buffer: ArrayBuffer | undefined;
  /**
   * Whether the body must be read without a wait: over HTTP/2, an unread body blocks the
   * other requests of its connection.
   */
  #mustRead = false;

  constructor(
    request: Request,
    info: ServeInfo | undefined,
    shared: Shared,
  ) {
    this.#request = request;
    this.#info = info ?? {};
    this.#shared = shared;
  }

  /**
   * Receives the body, computes the answer with `handle`, and returns the answer to send.
   *
   * @throws {HttpError} 400, 408, 413, 415 or 503 if the body cannot be received, 503 if
   * there is no memory for the answer, 499 if the client disconnects during a wait.
   * @throws the errors of `handle`, and a `RangeError` if there is no memory for a buffer.
   */
  async answer(handle: Handle): Promise<Answer> {
    const { load, ownsRequests } = this.#shared;
    try {
      const body = await this.#receive();
      load.deadlines.delete(this.#upload);
      this.#upload.stopClock();
      if (ownsRequests) this.#buffer = body.buffer;
      const answer = await this.#compute(body, handle);
      this.#freeBody();
      return await this.#send(answer);
    } catch (error) {
      load.deadlines.delete(this.#upload);
      load.results.release(this.#download);
      throw toHttpError(error);
    } finally {
      this.#freeBody();
      load.bodies.release(this.#upload);
    }
  }

  #receive(): Promise<Bytes> {
    const { deadlines, maxBodyBytes } = this.#shared.load;
    const isShared = this.#shared.connections.noteRequest(this.#info);
    const isServed = this.#info.completed !== undefined;
    const length = readLength(this.#request, { isServed, maxBodyBytes });
    this.#upload.startClock();
    deadlines.add(this.#upload);
    if (length !== undefined && length <= SMALL_BYTES) {
      return this.#receiveSmall(length);
    }
    this.#mustRead = isShared || !this.#request.headers.has("host");
    return this.#receiveLarge(length);
  }

  /**
   * Receives a body of known length, of up to 64 KiB, in one read. The inner functions must
   * not use `this`: `upload.abort` would then keep the whole exchange in memory for as long
   * as the garbage collector keeps `upload`.
   */
  #receiveSmall(length: number): Promise<Bytes> {
    const upload = this.#upload;
    const reading = this.#request.bytes();
    // Deno does not tell how many bytes have come, so all count as received. The body may
    // take `bodyTimeoutMs`, or the time that its length takes at 64 KiB/s (at most 1 s),
    // whichever is longer.
    upload.moved = length;
    return new Promise((resolve, reject) => {
      // The response with this error needs no `Connection: close` from the service: Deno
      // adds it to a response that is sent before the body has come.
      upload.abort = (error) => reject(toHttpError(error));
      reading.then(resolve, (error) => reject(toReadError(error)));
    });
  }

  /** Receives a body above 64 KiB, or of unknown length, chunk by chunk. */
  async #receiveLarge(length: number | undefined): Promise<Bytes> {
    if (this.#request.body === null) return NO_BODY;
    const reader = new BodyReader(this.#request.body);
    this.#upload.abort = (error) =>
      reader.abort(toHttpError(error, { connection: "close" }));
    const onShared = () => {
      this.#mustRead = true;
      this.#shared.load.bodies.reject(this.#upload);
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
   * @throws {HttpError} 413 for a body above `maxBodyBytes`, and the errors of `reader`.
   * @throws {BusyError} if there was no memory for the body.
   * @throws {DisconnectError} if the client disconnects while the body waits.
   */
  async #readAll(
    reader: BodyReader,
    length: number | undefined,
  ): Promise<Bytes> {
    const { maxBodyBytes } = this.#shared.load;
    const upload = this.#upload;
    let buffer = new ArrayBuffer();
    let isDropped = false;
    // Stops at a known length, without a read that would find the end of the stream: a read
    // that is pending keeps the connection open.
    while (upload.moved !== length) {
      const chunk = await reader.read();
      if (chunk === undefined) break;
      const end = upload.moved + chunk.byteLength;
      if (end > maxBodyBytes) throw createSizeError(maxBodyBytes);
      if (end > buffer.byteLength && !isDropped) {
        const bytes = await this.#reserveBody(end, length);
        isDropped = bytes === undefined;
        buffer = resize(buffer, bytes ?? 0);
        this.#buffer = buffer;
      }
      if (!isDropped) new Uint8Array(buffer).set(chunk, upload.moved);
      upload.moved = end;
    }
    if (isDropped) throw new BusyError();
    return new Uint8Array(buffer, 0, upload.moved);
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
  async #reserveBody(
    received: number,
    length: number | undefined,
  ): Promise<number | undefined> {
    const { bodies, maxBodyBytes } = this.#shared.load;
    const upload = this.#upload;
    const bytes = length ?? maxBodyBytes;
    const isSmall = received <= SMALL_BYTES;
    // Reserves nothing yet: a body of unknown length may stay small.
    if (isSmall && length === undefined) return SMALL_BYTES;
    if (bodies.tryReserve(upload, bytes)) return bytes;
    if (isSmall) return SMALL_BYTES;
    if (this.#mustRead) return undefined;
    upload.stopClock();
    try {
      await bodies.reserve(upload, bytes, this.#request.signal);
    } catch (error) {
      if (this.#mustRead) return undefined;
      throw error;
    } finally {
      upload.startClock();
    }
    return bytes;
  }

  /**
   * Computes the answer. A large body first waits for its turn. `pause()` gets the size of
   * the answer, or none. If this size is large, `pause()` waits for memory and then for the
   * next turn. Otherwise it waits for the next turn if the body is large, else not at all.
   *
   * @throws {DisconnectError} if the client disconnects while the body waits for its turn.
   */
  async #compute(body: Bytes, handle: Handle): Promise<Answer> {
    const isLarge = body.byteLength > SMALL_BYTES;
    if (isLarge) await this.#shared.load.turns.begin(this.#request.signal);
    const pause = (answerBytes = 0) =>
      isLarge || answerBytes > SMALL_BYTES
        ? this.#pause(answerBytes)
        : undefined;
    return toSent(await handle(body, pause));
  }

  /**
   * Waits for memory for a large answer, and then for the next turn to compute.
   *
   * @throws {HttpError} 503 if there is no memory, 499 if the client disconnects.
   */
  async #pause(answerBytes: number): Promise<void> {
    try {
      if (answerBytes > SMALL_BYTES) await this.#reserveAnswer(answerBytes);
      await this.#shared.load.turns.pause(this.#request.signal);
    } catch (error) {
      throw toHttpError(error);
    }
  }

  /** Frees the memory of the body now, since the garbage collector would free it late. */
  #freeBody(): void {
    if (this.#buffer !== undefined) freeBuffer(this.#buffer);
  }

  /**
   * Returns a small answer or a `Response` unchanged. For a large answer, waits for memory,
   * which stays reserved at most until the answer is sent, and returns the response.
   */
  async #send(answer: Answer): Promise<Answer> {
    if (!(answer instanceof Uint8Array) || answer.byteLength <= SMALL_BYTES) {
      this.#shared.load.results.release(this.#download);
      return answer;
    }
    await this.#reserveAnswer(answer.byteLength);
    return this.#sendLarge(answer as Bytes);
  }

  /**
   * Waits until memory is reserved for the answer. If its computation has reserved memory
   * already, changes the size of this reservation without a wait.
   *
   * @throws the errors of `Room.reserve()`.
   */
  async #reserveAnswer(bytes: number): Promise<void> {
    const { results } = this.#shared.load;
    const download = this.#download;
    if (download.reserved > 0) {
      results.resize(download, bytes);
      return;
    }
    if (results.tryReserve(download, bytes)) return;
    await results.reserve(download, bytes, this.#request.signal);
  }

  /** Makes the response with a large answer: above 256 KiB, a stream of its parts. */
  #sendLarge(answer: Bytes): Response {
    return answer.byteLength <= PART_BYTES
      ? this.#sendWhole(answer)
      : this.#sendParts(answer);
  }

  #sendWhole(answer: Bytes): Response {
    const end = this.#watchDownload(() => {});
    const response = toResponse(answer);
    // The response has a copy of the bytes, so their buffer can be freed.
    freeBuffer(answer.buffer);
    if (this.#info.completed === undefined) end();
    return response;
  }

  /**
   * Makes a response that sends an answer in parts. If the client is too slow, or the
   * response cannot be sent, the unsent parts are dropped.
   */
  #sendParts(answer: Bytes): Response {
    const { results } = this.#shared.load;
    const { completed } = this.#info;
    const download = this.#download;
    const { byteLength } = answer;
    const parts = split(answer);
    freeBuffer(answer.buffer);
    const end = this.#watchDownload(() => {
      parts.length = 0;
    });
    const body = new ReadableStream<Bytes>({
      pull(controller) {
        // `pull()` is called when the previous part has been sent: gives its memory back.
        results.resize(download, sum(parts));
        const part = parts.shift();
        if (part !== undefined) {
          download.moved += part.byteLength;
          controller.enqueue(part);
        }
        if (parts.length > 0) return;
        controller.close();
        if (completed === undefined) end();
      },
      cancel: end,
    }, { highWaterMark: 0 });
    const response = toResponse(new Response(body));
    response.headers.set("content-type", JSON_TYPE);
    // If parts are dropped, Deno closes the connection, since the body is too short.
    response.headers.set("content-length", String(byteLength));
    return response;
  }

  /**
   * Gives the memory of the answer back when the response has been sent or cannot be sent,
   * or when the client is too slow. Returns the function that gives the memory back.
   *
   * @param drop Drops the bytes that have not been sent.
   */
  #watchDownload(drop: () => void): () => void {
    const { isStopping, results } = this.#shared.load;
    const { completed } = this.#info;
    const end = () => {
      drop();
      results.release(this.#download);
    };
    this.#download.abort = end;
    completed?.then(end, end);
    // During a shutdown, the server holds the response back, so the client is not slow.
    if (!isStopping()) this.#download.startClock();
    return end;
  }
}

/**
 * Converts an object to its JSON text, and a JSON text above 64 KiB to its UTF-8 bytes,
 * whose memory can be freed before the garbage collector runs. Returns any other answer
 * unchanged.
 */
function toSent(answer: Answer): Answer {
  if (answer instanceof Response) return answer;
  const text = toJsonText(answer);
  return typeof text === "string" && Buffer.byteLength(text) > SMALL_BYTES
    ? utf8Encoder.encode(text)
    : text;
}

/**
 * Copies bytes into parts of 256 KiB, the last of which may be smaller. Each part has a
 * buffer of its own, so that its memory can be freed before that of the other parts.
 */
function split(bytes: Bytes): Bytes[] {
  const parts: Bytes[] = [];
  for (let start = 0; start < bytes.byteLength; start += PART_BYTES) {
    parts.push(bytes.slice(start, start + PART_BYTES));
  }
  return parts;
}

function sum(parts: readonly Bytes[]): number {
  return parts.reduce((bytes, part) => bytes + part.byteLength, 0);
}

/**
 * Returns the `HttpError` for an error of `lib/load`: 408, 503 or 499. Returns any other
 * error unchanged.
 *
 * @param headers Headers of a 408 or 503.
 */
function toHttpError(
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): unknown {
  if (error instanceof LateError) {
    const message =
      `the body must arrive within ${error.timeoutMs} milliseconds`;
    return new HttpError(408, message, headers);
  }
  if (error instanceof BusyError) {
    const message = "too many large requests are in progress, please try again";
    return new HttpError(503, message, { ...headers, "retry-after": "1" });
  }
  if (error instanceof DisconnectError) {
    return new HttpError(499, "the client has disconnected");
  }
  return error;
}
