/** Sends an answer, and keeps its memory until the client has it. */

import { type LoadLimits, SMALL_BYTES } from "../load/load.ts";
import { Transfer } from "../load/transfer.ts";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import { type Answer, JSON_TYPE, toResponse } from "./answer.ts";
import type { ServeInfo } from "./serve_info.ts";

/** Size of the parts in which an answer is sent that is larger than one part, in bytes. */
const PART_BYTES = 256 * 1024;

/** The answer to one request. */
export class Download {
  readonly #request: Request;
  readonly #info: ServeInfo;
  readonly #load: LoadLimits;
  readonly #transfer = new Transfer();

  constructor(request: Request, info: ServeInfo, load: LoadLimits) {
    this.#request = request;
    this.#info = info;
    this.#load = load;
  }

  /**
   * Waits until memory is reserved for the answer. If its computation has reserved memory
   * already, changes the size of this reservation without a wait.
   *
   * @throws the errors of `Room.reserve()`.
   */
  async reserve(bytes: number): Promise<void> {
    const { results } = this.#load;
    const transfer = this.#transfer;
    if (transfer.reserved > 0) {
      results.resize(transfer, bytes);
      return;
    }
    if (results.tryReserve(transfer, bytes)) return;
    await results.reserve(transfer, bytes, this.#request.signal);
  }

  /**
   * Returns a small answer or a `Response` unchanged. For a large answer, waits for memory,
   * which stays reserved at most until the answer is sent, and returns the response.
   */
  async send(answer: Answer): Promise<Answer> {
    if (!(answer instanceof Uint8Array) || answer.byteLength <= SMALL_BYTES) {
      this.#load.results.release(this.#transfer);
      return answer;
    }
    await this.reserve(answer.byteLength);
    return this.#sendLarge(answer as Bytes);
  }

  /** Gives the memory of the answer back, if any is reserved. */
  release(): void {
    this.#load.results.release(this.#transfer);
  }

  /** Makes the response with a large answer: above 256 KiB, a stream of its parts. */
  #sendLarge(answer: Bytes): Response {
    return answer.byteLength <= PART_BYTES
      ? this.#sendWhole(answer)
      : this.#sendParts(answer);
  }

  #sendWhole(answer: Bytes): Response {
    const end = this.#watch(() => {});
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
    const { results } = this.#load;
    const { completed } = this.#info;
    const transfer = this.#transfer;
    const { byteLength } = answer;
    const parts = split(answer);
    freeBuffer(answer.buffer);
    const end = this.#watch(() => {
      parts.length = 0;
    });
    const body = new ReadableStream<Bytes>({
      pull(controller) {
        // `pull()` is called when the previous part has been sent: gives its memory back.
        results.resize(transfer, sum(parts));
        const part = parts.shift();
        if (part !== undefined) {
          transfer.moved += part.byteLength;
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
  #watch(drop: () => void): () => void {
    const { isStopping, results } = this.#load;
    const { completed } = this.#info;
    const end = () => {
      drop();
      results.release(this.#transfer);
    };
    this.#transfer.abort = end;
    completed?.then(end, end);
    // During a shutdown, the server holds the response back, so the client is not slow.
    if (!isStopping()) this.#transfer.startClock();
    return end;
  }
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
