/** Sends an answer, and keeps its memory until it is handed over to Deno. */

import { type LoadLimits, SMALL_BYTES } from "../load/load.ts";
import { Transfer } from "../load/transfer.ts";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import { type Answer, JSON_TYPE, toResponse } from "./answer.ts";
import type { ServeInfo } from "./serve_info.ts";

/**
 * Size of the parts in which a larger answer is sent, in bytes. A smaller one is handed over
 * whole: Deno does not tell when it has been sent.
 */
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
    await this.#load.results.reserve(this.#transfer, bytes, this.#request);
  }

  /**
   * Returns a small answer or a `Response` unchanged. For a large answer, waits for memory,
   * and returns the response. The memory stays reserved until the response is made or, above
   * 256 KiB, at most until it is sent.
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
    const response = toResponse(answer);
    // The response has a copy of the bytes, so their buffer can be freed.
    freeBuffer(answer.buffer);
    this.release();
    return response;
  }

  /**
   * Makes a response that sends an answer in parts. If the client is too slow, or the
   * response cannot be sent, the unsent parts are dropped.
   */
  #sendParts(answer: Bytes): Response {
    const { results, isStopping } = this.#load;
    const { completed } = this.#info;
    const transfer = this.#transfer;
    const { byteLength } = answer;
    const parts = split(answer);
    freeBuffer(answer.buffer);
    function end(): void {
      parts.length = 0;
      results.release(transfer);
    }
    transfer.abort = end;
    completed?.then(end, end);
    if (!isStopping()) transfer.startClock();
    const body = new ReadableStream<Bytes>({
      pull(controller) {
        // During a stop, the server holds the response back at first, for which the client
        // is not to blame. Then little time is left: each part has to go in a second if
        // others wait.
        if (isStopping()) transfer.restartClock();
        // `pull()` is called when the previous part has been sent: gives its memory back.
        results.resize(transfer, sum(parts));
        const part = parts.shift();
        if (part !== undefined) {
          if (!isStopping()) transfer.moved += part.byteLength;
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
