/** Reads the bodies of requests, within limits of size and time, and parses them. */

import { freeBuffer } from "../buffer.ts";
import { HttpError } from "../http_error.ts";
import {
  BodyBuffer,
  createBrokenError,
  createSizeError,
} from "../load/body_buffer.ts";
import {
  endQuick,
  getLarge,
  type RequestScope,
  runLarge,
  SMALL_BYTES,
  takeTurn,
  tryStartQuick,
} from "../load/load.ts";
import { isWork, runAtOnce, type Work } from "../work.ts";

/**
 * Largest body that is read by a single `bytes()` call, in bytes. Deno 2.9.6 keeps the
 * memory of such a call until the connection is closed: 0.3 MiB for a body of 128 KiB, 1.6
 * MiB for one of 600 KB.
 */
const MAX_WHOLE_BYTES = 128 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A function that parses the bytes of a body. It returns the value, or a generator that
 * computes the value in steps.
 */
type Parse<Value> = (body: Uint8Array) => Value | Work<Value>;

/**
 * Reads the body of a request (no bytes if there is none) and parses it. A body above 32
 * KiB is parsed in short time slices, between which other requests are answered.
 *
 * @throws {HttpError} 413 for a body that is too large, 408 for one that arrives too late,
 * 503 if there is no memory for it, 499 if the client disconnects while its request waits,
 * 400 for a body that breaks off or comes in too many small chunks; and the errors that
 * `parse` throws.
 */
export function readBody<Value>(
  scope: RequestScope,
  parse: Parse<Value>,
): Promise<Value> {
  const { request, info, load: { maxBodyBytes } } = scope;
  const length = request.headers.get("content-length");
  const claimedBytes = Number(length);
  if (claimedBytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
  // Whether the request comes from `Deno.serve`: no other server sets the property
  // `completed`. The operator `in` is used, since reading the property would create a
  // promise.
  const isFromServe = info !== undefined && "completed" in info;
  // Whether the body certainly has the length given in `Content-Length`. `Deno.serve` makes
  // sure of this; but Deno 2.5 accepts a wrong length if the request has a
  // `Transfer-Encoding`, too. `get()` is used, since `has()` would make Deno 2.9 copy all
  // headers.
  const isLengthRight = isFromServe && length !== null &&
    request.headers.get("transfer-encoding") === null;
  if (isLengthRight) {
    if (claimedBytes <= SMALL_BYTES) {
      return readSmallBody(scope, claimedBytes, parse);
    }
    if (canReadWhole(scope, claimedBytes)) {
      return readWholeBody(scope, claimedBytes, parse);
    }
  }
  // Reading `request.body` makes `request.bytes()` slow afterwards. So it is read only if
  // the length of the body is uncertain, or the body should be read in chunks.
  const { body } = request;
  return body === null
    ? readSmallBody(scope, claimedBytes, parse)
    : readCountedBody(scope, new BodyBuffer(scope, body), parse);
}

/**
 * Reads a body of up to 32 KiB and parses it. This is not an `async` function, which would
 * create a further promise: each takes a hundredth of the time of a small request (Deno
 * 2.9.6).
 */
function readSmallBody<Value>(
  scope: RequestScope,
  claimedBytes: number,
  parse: Parse<Value>,
): Promise<Value> {
  scope.load.scheduler.noteSmallRequest();
  return readWhole(scope, scope.request.bytes(), {
    movedBytes: claimedBytes,
    use: (body) => parseSmall(body, parse),
  });
}

function parseSmall<Value>(body: Bytes, parse: Parse<Value>): Value {
  const value = parse(body);
  return isWork(value) ? runAtOnce(value) : value;
}

/**
 * Waits for `reading`, the promise of a `bytes()` call that reads a body, and passes the
 * bytes to `use`. If the body arrives too late, the returned promise rejects without
 * waiting for the rest of the body.
 */
function readWhole<Value>(
  { load: { deadlines } }: RequestScope,
  reading: Promise<Bytes>,
  { movedBytes, use }: {
    readonly movedBytes: number;
    readonly use: (body: Bytes) => Value | Promise<Value>;
  },
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const transfer = {
      startTime: performance.now(),
      movedBytes,
      abort({ status, message }: HttpError) {
        transfer.startTime = Infinity;
        // Only status and message of the error are used: its header `Connection: close` is
        // added by Deno 2.9 itself.
        reject(new HttpError(status, message));
      },
    };
    deadlines.add(transfer);
    reading.then((body) => {
      deadlines.delete(transfer);
      // The request has been answered with 408. If this body took a turn to be worked on,
      // nothing would end the turn.
      if (transfer.startTime === Infinity) return freeBuffer(body.buffer);
      try {
        resolve(use(body));
      } catch (error) {
        reject(error);
      }
    }, () => {
      deadlines.delete(transfer);
      reject(createBrokenError());
    });
  });
}

/**
 * Whether to read a body above 32 KiB by a single `bytes()` call, which takes less time
 * than reading it in chunks. If so, memory for the body is reserved. During the call, the
 * service cannot see how many bytes have arrived. So the body must be short enough to
 * arrive within the time limit at 64 KiB/s, the minimum rate for clients.
 */
function canReadWhole(scope: RequestScope, bytes: number): boolean {
  return bytes <= MAX_WHOLE_BYTES && scope.load.deadlines.isTimely(bytes) &&
    tryStartQuick(scope, bytes);
}

function readWholeBody<Value>(
  scope: RequestScope,
  claimedBytes: number,
  parse: Parse<Value>,
): Promise<Value> {
  const large = getLarge(scope);
  // If the body is late, the request is answered before this `bytes()` call ends. The call
  // then takes memory until the client has sent the rest or disconnects. The promise is
  // stored, so that `endTurn()` keeps the memory reserved until the call ends.
  const reading = large.reading = scope.request.bytes();
  return readWhole(scope, reading, {
    movedBytes: claimedBytes,
    async use(body) {
      large.reading = undefined;
      try {
        return await parseLarge(scope, body, parse);
      } finally {
        freeBuffer(body.buffer);
      }
    },
  });
}

/**
 * Parses a body above 32 KiB. If other large requests have used up their time in the
 * current iteration of the event loop, parsing begins in a later one. If `parse` returns a
 * generator, the request may have to wait in a queue (see `LargeRequest`) before the
 * generator runs.
 */
function parseLarge<Value>(
  scope: RequestScope,
  body: Uint8Array,
  parse: Parse<Value>,
): Value | Promise<Value> {
  const waiting = scope.load.scheduler.startShort();
  if (waiting !== undefined) {
    return waiting.then(() => parseLarge(scope, body, parse));
  }
  const value = parse(body);
  return isWork(value) ? parseInSlices(scope, body.byteLength, value) : value;
}

async function parseInSlices<Value>(
  scope: RequestScope,
  bytes: number,
  work: Work<Value>,
): Promise<Value> {
  await takeTurn(scope, bytes);
  endQuick(scope.load, getLarge(scope));
  return await runLarge(scope, work);
}

async function readCountedBody<Value>(
  scope: RequestScope,
  body: BodyBuffer,
  parse: Parse<Value>,
): Promise<Value> {
  const { scheduler } = scope.load;
  try {
    await body.receive();
    if (body.movedBytes <= SMALL_BYTES) {
      scheduler.noteSmallRequest();
      return parseSmall(body.join(), parse);
    }
    if (!tryStartQuick(scope, body.movedBytes)) {
      await takeTurn(scope, body.movedBytes);
    }
    return await parseLarge(scope, body.join(), parse);
  } finally {
    body.release();
  }
}
