/** Sends a large answer in parts, whose memory is given back as they are sent. */

import { JSON_TYPE } from "../http/answer.ts";
import type { ServeInfo } from "../http/body.ts";
import { type Bytes, freeBuffer } from "../values/buffer.ts";
import { type Limits, WHOLE_BYTES } from "./limits.ts";
import type { Transfer } from "./transfer.ts";

/** Size of a part, in bytes. */
const PART_BYTES = WHOLE_BYTES;

/** An answer, and its transfer, for which memory is reserved. */
interface Download {
  readonly answer: Bytes;
  readonly info: ServeInfo;
  readonly transfer: Transfer;
  readonly limits: Limits;
}

/**
 * Makes the response that sends an answer in parts. The memory of the answer is given back
 * when the response has been sent or cannot be sent, or when the client is too slow: then
 * the unsent parts are dropped. The bytes of the answer must not be used any more.
 */
export function sendParts(
  { answer, info: { completed }, transfer, limits: { results, isStopping } }:
    Download,
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
