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
 * from Base64, each byte of which takes up to six bytes in JSON). Answers of up to 256 KiB
 * that Deno has taken over are not counted: Deno does not tell when it has sent them.
 */

import { Buffer } from "node:buffer";
import { SMALL_BYTES } from "../load/load.ts";
import type { Pause } from "../operation/operation.ts";
import type { Bytes } from "../values/buffer.ts";
import { type Answer, toJsonText } from "./answer.ts";
import { Download } from "./download.ts";
import { toHttpError } from "./load_error.ts";
import type { ServeInfo } from "./serve_info.ts";
import { type Shared, Upload } from "./upload.ts";

const utf8Encoder = new TextEncoder();

/** Computes the answer to a request from its body, or throws an `HttpError`. */
export type Handle = (body: Bytes, pause: Pause) => Answer | Promise<Answer>;

/** One POST request and its answer. */
export class Exchange {
  readonly #request: Request;
  readonly #shared: Shared;
  readonly #upload: Upload;
  readonly #download: Download;

  constructor(
    request: Request,
    info: ServeInfo | undefined,
    shared: Shared,
  ) {
    this.#request = request;
    this.#shared = shared;
    this.#upload = new Upload(request, info ?? {}, shared);
    this.#download = new Download(request, info ?? {}, shared.load);
  }

  /**
   * Receives the body, computes the answer with `handle`, and returns the answer to send.
   *
   * @throws {HttpError} 400, 408, 413, 415 or 503 if the body cannot be received, 503 if
   * there is no memory for the answer, 499 if the client disconnects during a wait.
   * @throws the errors of `handle`, and a `RangeError` if there is no memory for a buffer.
   */
  async answer(handle: Handle): Promise<Answer> {
    try {
      const body = await this.#upload.receive();
      const answer = await this.#compute(body, handle);
      this.#upload.free();
      return await this.#download.send(answer);
    } catch (error) {
      this.#download.release();
      throw toHttpError(error);
    } finally {
      this.#upload.end();
    }
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
      if (answerBytes > SMALL_BYTES) await this.#download.reserve(answerBytes);
      await this.#shared.load.turns.pause(this.#request.signal);
    } catch (error) {
      throw toHttpError(error);
    }
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
