/**
 * Answers requests that have a body: receives the body, computes the answer, and sends it.
 * A small request does not wait. A large body waits for room in memory, and then for its turn
 * to compute. A large answer waits for room, too.
 *
 * No request waits forever. A body waits for the room of other bodies, each of which gives it
 * back when its answer is sent. An answer waits for the room of other answers, each of which
 * gives it back when its client has read it. While a request waits for room, clients that are
 * too slow are cut off. A computation, once it has begun, waits only for room for its answer.
 *
 * The rooms bound the memory: a body has room from its 65th KiB until its answer is sent, an
 * answer from the start of its computation until it is read. Only an answer whose operation
 * does not tell the size in advance is computed without room. It then waits for room, but has
 * at most 4/3 of the bytes that its body still reserves.
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

/** Size of the parts in which a large answer is sent, in bytes. */
const PART_BYTES = 256 * 1024;

const utf8Encoder = new TextEncoder();

/** Computes the answer from the body of a request. */
export type Handle = (body: Bytes, pause: Pause) => Answer | Promise<Answer>;

/** State that the requests of a thread share. */
interface Shared {
  readonly load: LoadLimits;
  readonly connections: Connections;
  /** Whether no other code uses the requests, so that their bodies may be freed at once. */
  readonly ownsRequests: boolean;
}

/** A request with a body, and its answer. */
export class Exchange {
  readonly #request: Request;
  readonly #info: ServeInfo;
  readonly #shared: Shared;
  readonly #upload = new Transfer();
  readonly #download = new Transfer();
  /** The buffer of the body, if it may be freed: if nothing else uses it. */
  #buffer: ArrayBuffer | undefined;
  /** Whether the body must not wait unread: over HTTP/2, it would stop other requests. */
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
   * Answers the request.
   *
   * @throws {HttpError} 413, 415, 408, 400 or 503 if the body cannot be received, 503 if
   * there is no room for the answer, and the errors of `handle`.
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
   * Receives a small body in one read. The functions in it must not refer to `this`: the
   * garbage collector frees a transfer that had a deadline late, and with it would keep the
   * whole exchange. That takes 15 % of the time of small hashes.
   */
  #receiveSmall(length: number): Promise<Bytes> {
    const upload = this.#upload;
    const reading = this.#request.bytes();
    // Deno does not tell how many bytes have come. All count as received, so that the body has
    // a time limit, but no minimum rate.
    upload.moved = length;
    return new Promise((resolve, reject) => {
      // Deno adds `Connection: close` to a response that is sent before the body has come.
      upload.abort = (error) => reject(toHttpError(error));
      reading.then(resolve, (error) => reject(toReadError(error)));
    });
  }

  /** Receives a body that is large or of unknown length, in pieces. */
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

  /** Reads a body to its end. If it finds no room and must not wait, its bytes are dropped. */
  async #readAll(
    reader: BodyReader,
    length: number | undefined,
  ): Promise<Bytes> {
    const { maxBodyBytes } = this.#shared.load;
    const upload = this.#upload;
    let buffer = new ArrayBuffer();
    let isDropped = false;
    // At a known length, nothing is read for the end of the stream: a read that is pending
    // would keep the connection open.
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
   * Makes room for a body, of which `received` bytes have come. Returns the number of bytes
   * that may come: the whole body if there is room for it, otherwise as many as a small body
   * has, for which no room is needed. If more have come, the body waits for room. Returns
   * `undefined` if it must not wait: it has to be dropped then.
   */
  async #reserveBody(
    received: number,
    length: number | undefined,
  ): Promise<number | undefined> {
    const { bodies, maxBodyBytes } = this.#shared.load;
    const upload = this.#upload;
    const bytes = length ?? maxBodyBytes;
    const isSmall = received <= SMALL_BYTES;
    // A body of unknown length may stay small.
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
   * Computes the answer. A large body waits for its turn before, a large answer in
   * `pause()`.
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

  /** Waits for room for a large answer, and lets other requests be answered meanwhile. */
  async #pause(answerBytes: number): Promise<void> {
    try {
      if (answerBytes > SMALL_BYTES) await this.#reserveAnswer(answerBytes);
      await this.#shared.load.turns.pause(this.#request.signal);
    } catch (error) {
      throw toHttpError(error);
    }
  }

  /** Frees the memory of the body: the garbage collector would free it late. */
  #freeBody(): void {
    if (this.#buffer !== undefined) freeBuffer(this.#buffer);
  }

  /** Sends a small answer at once; a large one waits for room, and has it until it is sent. */
  async #send(answer: Answer): Promise<Answer> {
    if (!(answer instanceof Uint8Array) || answer.byteLength <= SMALL_BYTES) {
      this.#shared.load.results.release(this.#download);
      return answer;
    }
    await this.#reserveAnswer(answer.byteLength);
    return this.#sendLarge(answer as Bytes);
  }

  /** Waits for room for the answer, unless its computation has reserved some already. */
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

  /** Sends a large answer: at once, or in parts, so that a slow client can be cut off. */
  #sendLarge(answer: Bytes): Response {
    return answer.byteLength <= PART_BYTES
      ? this.#sendWhole(answer)
      : this.#sendParts(answer);
  }

  #sendWhole(answer: Bytes): Response {
    const end = this.#watchDownload(() => {});
    const response = toResponse(answer);
    // The response has a copy of the bytes.
    freeBuffer(answer.buffer);
    if (this.#info.completed === undefined) end();
    return response;
  }

  /** Sends an answer in parts. For a client that is cut off, the unsent parts are dropped. */
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
        // A call means that the part before has been sent.
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
    // If parts are dropped, the body is shorter than this, and Deno closes the connection.
    response.headers.set("content-length", String(byteLength));
    return response;
  }

  /**
   * Gives the room of the answer back when the answer has been sent, or when its client is cut
   * off. Returns the function that gives it back.
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
    // During a shutdown the response is held back: the client cannot read it, and is not slow.
    if (!isStopping()) this.#download.startClock();
    return end;
  }
}

/** Encodes a large text, since bytes can be freed when they are sent; other answers stay. */
function toSent(answer: Answer): Answer {
  if (answer instanceof Response) return answer;
  const text = toJsonText(answer);
  return typeof text === "string" && Buffer.byteLength(text) > SMALL_BYTES
    ? utf8Encoder.encode(text)
    : text;
}

/** Copies bytes into parts, each with a buffer of its own that is freed by itself. */
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

/** Gives an error of `lib/load` its HTTP status and message; other errors stay as they are. */
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
