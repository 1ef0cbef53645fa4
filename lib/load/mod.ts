/**
 * The way to answer POST requests for a server that faces many clients: what large bodies
 * and answers take of memory and of the processor is limited for all of them together.
 *
 * Bodies and answers of up to 64 KiB are small. A small body does not wait. A large body
 * waits until a `Room` has memory for it, and then for its turn to compute. An answer above
 * 256 KiB, or one that its operation expects to be so large, waits for memory of a second
 * `Room`.
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
 * pass its size to `pause()` is computed first, and then waits: such an answer comes from a
 * small body, and has at most 288 KiB. Answers of up to 256 KiB are not counted: Deno takes
 * them over at once, and does not tell when it has sent them.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import {
  type Answer,
  type JsonText,
  toJsonText,
  toResponse,
} from "../http/answer.ts";
import { type Admit, NO_BODY, SMALL_BYTES } from "../http/body.ts";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import { sendParts } from "./download.ts";
import { createLimits, type LoadOptions, WHOLE_BYTES } from "./limits.ts";
import { Transfer } from "./transfer.ts";
import { receiveBody } from "./upload.ts";

const utf8Encoder = new TextEncoder();

/**
 * Creates the way in which one thread answers POST requests. The bytes of a body are freed
 * when its answer is made, and those of an answer when they are sent: no other code may use
 * them.
 */
export function createAdmission(options: LoadOptions): Admit {
  const limits = createLimits(options);
  const { bodies, results, turns } = limits;

  return async function admit(request, info = {}, compute) {
    const upload = new Transfer();
    const download = new Transfer();

    /** Waits for memory for a large answer, and then for a turn. */
    async function reserve(answerBytes: number): Promise<void> {
      await results.reserve(download, answerBytes, request);
      await turns.pause(request.signal);
    }

    /** Sends a large answer in parts, when there is memory for it. */
    async function send(answer: Bytes): Promise<Response> {
      await results.reserve(download, answer.byteLength, request);
      return sendParts({ answer, info, transfer: download, limits });
    }

    // All in one function: the frame of an inner one would keep large strings in memory
    // for longer (a third of the time of a large answer).
    let body = NO_BODY;
    try {
      body = await receiveBody({ request, info, transfer: upload, limits });
      const isLarge = body.byteLength > SMALL_BYTES;
      if (isLarge) await turns.begin(request.signal);
      const answer = toSent(
        await compute(body, (answerBytes = 0) => {
          if (answerBytes > WHOLE_BYTES) return reserve(answerBytes);
          return isLarge || answerBytes > SMALL_BYTES
            ? turns.pause(request.signal)
            : undefined;
        }),
        body,
      );
      if (!(answer instanceof Response)) freeBuffer(body.buffer);
      if (answer instanceof Uint8Array && answer.byteLength > WHOLE_BYTES) {
        return await send(answer);
      }
      results.release(download);
      if (!(answer instanceof Uint8Array) || answer.byteLength <= SMALL_BYTES) {
        return answer;
      }
      // The response has a copy of the bytes.
      const response = toResponse(answer);
      freeBuffer(answer.buffer);
      return response;
    } catch (error) {
      freeBuffer(body.buffer);
      results.release(download);
      throw error;
    } finally {
      bodies.release(upload);
    }
  };
}

/**
 * Converts an object to its JSON text, and a JSON text above 256 KiB to its UTF-8 bytes,
 * whose memory can be freed before the garbage collector runs. Returns other answers
 * unchanged, but never bytes of the body.
 */
function toSent(answer: Answer, body: Bytes): JsonText | Response {
  if (answer instanceof Response) return answer;
  const text = toJsonText(answer);
  if (typeof text !== "string") {
    return text.buffer === body.buffer ? text.slice() : text;
  }
  return Buffer.byteLength(text) > WHOLE_BYTES
    ? utf8Encoder.encode(text)
    : text;
}
