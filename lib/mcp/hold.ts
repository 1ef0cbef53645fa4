/** Messages that wait while their calls are answered. */

import { HttpError } from "../http/errors.ts";
import { type Memory, SMALL_BYTES } from "../http/memory.ts";

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
