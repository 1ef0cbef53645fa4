/** Calls that come at once, answered one after another. */

import { HttpError } from "../http/errors.ts";
import { type Memory, SMALL_BYTES } from "../http/memory.ts";

/**
 * Runs what it is given one after another, each when the one before has made its
 * answer. After a large answer the event loop goes round once: dozens of calls
 * that arrive together, each with an answer of megabytes, would otherwise keep it
 * busy for seconds, in which clients are taken for slow and others wait.
 */
export function createTurns(): (
  work: () => Response | Promise<Response>,
) => Promise<Response> {
  let last: Promise<unknown> = Promise.resolve();
  return function takeTurn(work) {
    const answer = last.then(work);
    last = answer.then(pauseIfLarge, () => {});
    return answer;
  };
}

function pauseIfLarge({ headers }: Response): Promise<void> | undefined {
  // Only an answer that departs piece by piece says how long it is.
  if (!headers.has("content-length")) return undefined;
  return new Promise((resolve) => setTimeout(resolve));
}

/** A message is held as a text and as a value while it waits. */
const COPIES = 2;

/**
 * Counts a message that waits for its turn, and what is made of it meanwhile.
 *
 * @throws {HttpError} 503 with `Retry-After` where there is no room for it.
 */
export async function holdMeanwhile<Value>(
  memory: Memory,
  byteLength: number,
  work: () => Promise<Value>,
): Promise<Value> {
  if (byteLength <= SMALL_BYTES) return await work();
  // It is here already: nobody is slow.
  const held = { startTime: 0, movedBytes: Infinity, giveUp() {} };
  if (!memory.hold(held, COPIES * byteLength)) {
    throw new HttpError(
      503,
      "too many large calls are being answered, please try again",
      { "retry-after": "1" },
    );
  }
  try {
    return await work();
  } finally {
    memory.release(held);
  }
}
