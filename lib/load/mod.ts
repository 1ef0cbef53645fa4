/**
 * The way to answer POST requests for a server that faces many clients: what large bodies
 * and answers take of memory and of the processor is limited for all of them together.
 *
 * Bodies and answers of up to 64 KiB are small. A small body does not wait. A large body
 * waits for memory of a `MemoryBudget`, and then for its turn to compute. An answer above
 * 256 KiB, or one that its operation expects to be so large, waits for memory of a second
 * `MemoryBudget`.
 *
 * No request waits forever: a wait for memory ends after at most 10 s, with memory or an
 * error. Requests do not wait in a circle either. A body waits for memory of other bodies,
 * each of which keeps its memory at most until its response is ready. An answer waits only
 * for memory of other answers, each of which keeps its memory at most until it is sent.
 * While a request waits for memory of a budget, transfers that have memory of it are
 * aborted if they have taken over a second longer than their bytes so far would take at
 * 64 KiB/s.
 *
 * The two budgets bound the memory. A body reserves its memory before more than 64 KiB of it
 * are kept, a large answer before it is made: operations pass its size to `pause()`. Not
 * counted are small bodies, and answers of up to 256 KiB: Deno takes them over at once, and
 * does not tell when it has sent them. A computation takes a few times the size of its body
 * besides, for example for its text.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { type Answer, type JsonText, toJsonText } from "../http/answer.ts";
import { type Admit, SMALL_BYTES } from "../http/body.ts";
import { WHOLE_BYTES } from "../operation/result.ts";
import type { Bytes } from "../values/buffer.ts";
import { Download } from "./download.ts";
import { createSharedState, type LoadOptions } from "./shared_state.ts";
import { receiveBody } from "./upload.ts";

const utf8Encoder = new TextEncoder();

/**
 * Creates the way in which one thread answers POST requests. The bytes of a body are freed
 * when its answer is made, and those of an answer when they are sent: no other code may use
 * them.
 */
export function createAdmission(options: LoadOptions): Admit {
  const shared = createSharedState(options);
  const { turns } = shared;

  return async function admit(request, info = {}, compute) {
    const exchange = { request, info, shared };
    const body = await receiveBody(exchange);
    const download = new Download(exchange);
    const isLarge = body.bytes.byteLength > SMALL_BYTES;

    /** Waits for memory for an answer above 256 KiB, and then for a turn. */
    async function reserveAndPause(answerBytes: number): Promise<void> {
      if (answerBytes > WHOLE_BYTES) await download.reserve(answerBytes);
      await turns.waitToContinue(request.signal);
    }

    /** Is given to the computation. A small request does not wait. */
    function pause(answerBytes = 0): Promise<void> | undefined {
      const isSmall = !isLarge && answerBytes <= SMALL_BYTES;
      return isSmall ? undefined : reserveAndPause(answerBytes);
    }

    try {
      if (isLarge) await turns.waitToBegin(request.signal);
      const answer = toSent(await compute(body.bytes, pause), body.bytes);
      // Not used any more: a `Response` made of them has a copy.
      body.freeBytes();
      return await download.send(answer);
    } finally {
      body.release();
      download.release();
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
