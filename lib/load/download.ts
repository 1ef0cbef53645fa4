/** Sends answers: a large one in parts, whose memory is given back as they are sent. */

import {
  type Answer,
  JSON_TYPE,
  type JsonText,
  toResponse,
} from "../http/answer.ts";
import { type ServeInfo, SMALL_BYTES } from "../http/body.ts";
import { WHOLE_BYTES } from "../operation/result.ts";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import type { Exchange, SharedState } from "./shared_state.ts";
import { Transfer } from "./transfer.ts";

/** Size of a part, in bytes. */
const PART_BYTES = WHOLE_BYTES;

/** The answer to a request, which has to be released when it is made. */
export class Download {
  readonly #exchange: Exchange;
  readonly #transfer = new Transfer();
  #isInParts = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /**
   * Waits until memory is reserved for the answer.
   *
   * @throws {LoadError} if there is no memory in time, or the client disconnects.
   */
  async reserve(bytes: number): Promise<void> {
    const { request, shared } = this.#exchange;
    await shared.results.reserve(this.#transfer, bytes, request);
  }

  /**
   * Makes what is sent of an answer: of one above 256 KiB, parts, when memory is reserved for
   * it. Bytes above 64 KiB must not be used any more.
   *
   * @throws {LoadError} as `reserve()` does.
   */
  send(answer: JsonText | Response): Answer | Promise<Response> {
    if (!(answer instanceof Uint8Array)) return answer;
    if (answer.byteLength <= SMALL_BYTES) return answer;
    if (answer.byteLength > WHOLE_BYTES) return this.#sendInParts(answer);
    // The response has a copy of the bytes.
    const response = toResponse(answer);
    freeBuffer(answer.buffer);
    return response;
  }

  async #sendInParts(answer: Bytes): Promise<Response> {
    await this.reserve(answer.byteLength);
    const { info, shared } = this.#exchange;
    const transfer = this.#transfer;
    const response = sendParts({ answer, info, transfer, shared });
    // From now on, the response gives the memory back, as its parts are sent.
    this.#isInParts = true;
    return response;
  }

  /** Gives back the memory that is reserved, unless the answer is sent in parts. */
  release(): void {
    if (this.#isInParts) return;
    this.#exchange.shared.results.release(this.#transfer);
  }
}

/** An answer above 256 KiB, and its transfer, for which memory is reserved. */
interface LargeAnswer {
  readonly answer: Bytes;
  readonly info: ServeInfo;
  readonly transfer: Transfer;
  readonly shared: SharedState;
}

/**
 * Makes the response that sends an answer in parts. The memory of the answer is given back
 * when the response has been sent or cannot be sent, or when the client is too slow: then
 * the unsent parts are dropped. The bytes of the answer must not be used any more.
 */
function sendParts(
  { answer, info: { completed }, transfer, shared: { results, isStopping } }:
    LargeAnswer,
): Response {
  const { byteLength } = answer;
  const parts = split(answer);
  freeBuffer(answer.buffer);
  function end(): void {
    parts.length = 0;
    results.release(transfer);
  }
  transfer.onAbort(end);
  if (!isStopping()) transfer.startClock();
  completed?.then(end, end);
  const body = new ReadableStream<Bytes>({
    pull(controller) {
      // During a stop, the server holds the response back at first, for which the client is
      // not to blame. Then little time is left: each part has to go in a second if others
      // wait.
      if (isStopping()) transfer.restartClock();
      // `pull()` is called when the previous part has been sent: gives its memory back.
      results.resize(transfer, sum(parts));
      const part = parts.shift();
      if (part !== undefined) {
        if (!isStopping()) transfer.advance(part.byteLength);
        controller.enqueue(part);
      }
      if (parts.length > 0) return;
      controller.close();
      if (completed === undefined) end();
    },
    cancel: end,
  }, { highWaterMark: 0 });
  const headers = {
    "content-type": JSON_TYPE,
    // If parts are dropped, Deno closes the connection, since the body is too short.
    "content-length": String(byteLength),
  };
  return new Response(body, { headers });
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
