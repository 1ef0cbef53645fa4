/** Reading of request bodies, and of what they contain. */

import { HttpError } from "../http_error.ts";
import { SMALL_BYTES } from "../load/budget.ts";
import {
  CountedBody,
  createBrokenError,
  createSizeError,
} from "../load/body.ts";
import type { Load } from "../load/load.ts";
import { isWork, runAtOnce, type Work } from "../work.ts";

/** Makes the value of a body, at once or in steps. */
type Parse<Value> = (body: Uint8Array) => Value | Work<Value>;

/**
 * Reads the whole body of a request, empty if there is none, and parses it. The
 * parsing of a body above 32 KiB runs in slices.
 *
 * @throws {HttpError} 413 for a body above the limit, 408 for one that is late, 503
 * for one for which the budget has no room, 400 for one that breaks off or comes in
 * too many small chunks; and errors of `parse`.
 */
export function readBody<Value>(
  load: Load,
  parse: Parse<Value>,
): Promise<Value> {
  const { request, info, maxBodyBytes } = load;
  const length = request.headers.get("content-length");
  const claimedBytes = Number(length);
  if (claimedBytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
  // To read `completed` would create a promise.
  const isFromServe = info !== undefined && "completed" in info;
  // Deno 2.5 accepts a length beside chunks, which may then be wrong, as it may be
  // in requests of other servers. `has()` would make Deno 2.9 copy all headers.
  const isSmall = isFromServe && length !== null &&
    claimedBytes <= SMALL_BYTES &&
    request.headers.get("transfer-encoding") === null;
  return isSmall || request.body === null
    ? readSmallBody(load, claimedBytes, parse)
    : readCountedBody(load, new CountedBody(load, request.body), parse);
}

/** Reads a body with one promise, since each costs a hundredth of a small request. */
function readSmallBody<Value>(
  { request, scheduler, deadlines }: Load,
  movedBytes: number,
  parse: Parse<Value>,
): Promise<Value> {
  scheduler.noteSmallRequest();
  return new Promise((resolve, reject) => {
    const transfer = {
      startTime: performance.now(),
      movedBytes,
      abort({ status, message }: HttpError) {
        transfer.startTime = Infinity;
        // Deno 2.9 adds `Connection: close`.
        reject(new HttpError(status, message));
      },
    };
    deadlines.add(transfer);
    request.bytes().then((body) => {
      deadlines.delete(transfer);
      try {
        const value = parse(body);
        resolve(isWork(value) ? runAtOnce(value) : value);
      } catch (error) {
        reject(error);
      }
    }, () => {
      deadlines.delete(transfer);
      reject(createBrokenError());
    });
  });
}

async function readCountedBody<Value>(
  { request, scheduler }: Load,
  body: CountedBody,
  parse: Parse<Value>,
): Promise<Value> {
  try {
    const bytes = await body.receive();
    const isSmall = bytes.byteLength <= SMALL_BYTES;
    if (isSmall) scheduler.noteSmallRequest();
    const value = parse(bytes);
    if (!isWork(value)) return value;
    return isSmall
      ? runAtOnce(value)
      : await scheduler.runInSlices(request, value);
  } finally {
    body.release();
  }
}
