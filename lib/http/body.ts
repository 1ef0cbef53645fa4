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

/** The functions that `readBody()` calls. */
interface BodyUser<Value, Result> {
  readonly parse: Parse<Value>;
  /** Is passed the value of the body. Returns what `readBody()` resolves with. */
  readonly use: (value: Value) => Result | Promise<Result>;
}

/**
 * Reads the body of a request (no bytes if there is none), parses it and uses the value. A
 * body above 32 KiB is parsed in short time slices, between which other requests are
 * answered.
 *
 * The value is not returned, but passed to `use`. The promises of a request that has waited
 * are old to the garbage collector, which frees whatever they refer to only at its next full
 * collection. The texts of large requests would then take new memory each time
 * (`docs/speed.md`).
 *
 * @throws {HttpError} 413 for a body that is too large, 408 for one that arrives too late,
 * 503 if there is no memory for it, 499 if the client disconnects while its request waits,
 * 400 for a body that breaks off or comes in too many small chunks; and the errors that
 * `parse` and `use` throw.
 */
export function readBody<Value, Result>(
  scope: RequestScope,
  user: BodyUser<Value, Result>,
): Promise<Result> {
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
      return readSmallBody(scope, claimedBytes, user);
    }
    if (canReadWhole(scope, claimedBytes)) {
      return readWholeBody(scope, claimedBytes, user);
    }
  }
  // Reading `request.body` makes `request.bytes()` slow afterwards. So it is read only if
  // the length of the body is uncertain, or the body should be read in chunks.
  const { body } = request;
  return body === null
    ? readSmallBody(scope, claimedBytes, user)
    : readCountedBody(scope, new BodyBuffer(scope, body), user);
}

/**
 * Reads a body of up to 32 KiB, parses it and uses the value. This is not an `async` function, which would
 * create a further promise: each takes a hundredth of the time of a small request (Deno
 * 2.9.6).
 */
function readSmallBody<Value, Result>(
  scope: RequestScope,
  claimedBytes: number,
  { parse, use }: BodyUser<Value, Result>,
): Promise<Result> {
  scope.load.scheduler.noteSmallRequest();
  return readWhole(scope, scope.request.bytes(), {
    movedBytes: claimedBytes,
    use: (body) => use(parseSmall(body, parse)),
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
function readWhole<Result>(
  { load: { deadlines } }: RequestScope,
  reading: Promise<Bytes>,
  { movedBytes, use }: {
    readonly movedBytes: number;
    readonly use: (body: Bytes) => Result | Promise<Result>;
  },
): Promise<Result> {
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

function readWholeBody<Value, Result>(
  scope: RequestScope,
  claimedBytes: number,
  user: BodyUser<Value, Result>,
): Promise<Result> {
  const large = getLarge(scope);
  // If the body is late, the request is answered before this `bytes()` call ends. The call
  // then takes memory until the client has sent the rest or disconnects. The promise is
  // stored, so that `endTurn()` keeps the memory reserved until the call ends.
  const reading = large.reading = scope.request.bytes();
  return readWhole(scope, reading, {
    movedBytes: claimedBytes,
    use(body) {
      large.reading = undefined;
      return useLarge(scope, user, {
        body,
        free: () => freeBuffer(body.buffer),
      });
    },
  });
}

async function readCountedBody<Value, Result>(
  scope: RequestScope,
  buffer: BodyBuffer,
  user: BodyUser<Value, Result>,
): Promise<Result> {
  let body: Bytes;
  try {
    await buffer.receive();
    const { movedBytes } = buffer;
    if (movedBytes > SMALL_BYTES && !tryStartQuick(scope, movedBytes)) {
      await takeTurn(scope, movedBytes);
    }
    body = buffer.join();
  } catch (error) {
    buffer.release();
    throw error;
  }
  const received = { body, free: () => buffer.release() };
  return body.byteLength > SMALL_BYTES
    ? useLarge(scope, user, received)
    : useSmall(scope, user, received);
}

/** The bytes of a body, and the function that frees their memory. */
interface ReceivedBody {
  readonly body: Bytes;
  readonly free: () => void;
}

function useSmall<Value, Result>(
  { load: { scheduler } }: RequestScope,
  { parse, use }: BodyUser<Value, Result>,
  { body, free }: ReceivedBody,
): Result | Promise<Result> {
  scheduler.noteSmallRequest();
  let value;
  try {
    value = parseSmall(body, parse);
  } finally {
    free();
  }
  return use(value);
}

/**
 * Parses a body above 32 KiB, frees it and uses the value. If other large requests have
 * used up their time in the current iteration of the event loop, parsing begins in a later
 * one. If `parse` returns a generator, the request may have to wait in a queue (see
 * `LargeRequest`) before the generator runs.
 */
async function useLarge<Value, Result>(
  scope: RequestScope,
  { parse, use }: BodyUser<Value, Result>,
  { body, free }: ReceivedBody,
): Promise<Result> {
  const { scheduler } = scope.load;
  let value;
  try {
    for (let waiting; (waiting = scheduler.startShort()) !== undefined;) {
      await waiting;
    }
    const parsed = parse(body);
    value = isWork(parsed)
      ? await parseInSlices(scope, body.byteLength, parsed)
      : parsed;
  } finally {
    free();
  }
  return use(value);
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
