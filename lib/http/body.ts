/** Reads the bodies of requests, within limits of size and time, and parses them. */

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
 * Largest body that is read by one call, in bytes. As long as a connection is open, Deno
 * 2.9.6 keeps what such a call needed: 0.3 MiB for this size, 1.6 MiB for 600 KB.
 */
const MAX_WHOLE_BYTES = 128 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** Parses the bytes of a body: returns the value, or work that computes it in steps. */
type Parse<Value> = (body: Uint8Array) => Value | Work<Value>;

/**
 * Reads the whole body of a request, empty if there is none, and parses it. A body
 * above 32 KiB is parsed in slices, between which other requests run.
 *
 * @throws {HttpError} 413 for a body above the limit, 408 for one that arrives too
 * late, 503 if there is no memory for it, 499 if the client disconnects while it waits
 * for memory, 400 for a body that breaks off or comes in too many small chunks; and
 * errors of `parse`.
 */
export function readBody<Value>(
  scope: RequestScope,
  parse: Parse<Value>,
): Promise<Value> {
  const { request, info, load: { maxBodyBytes } } = scope;
  const length = request.headers.get("content-length");
  const claimedBytes = Number(length);
  if (claimedBytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
  // `completed` is not read, since that would create a promise.
  const isFromServe = info !== undefined && "completed" in info;
  // A `Content-Length` is sure to be right only from `Deno.serve` and without chunks,
  // beside which Deno 2.5 accepts a wrong one. `has()` would make Deno 2.9 copy all
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
  // Read only now: before, it would have made `bytes()` slow.
  const { body } = request;
  return body === null
    ? readSmallBody(scope, claimedBytes, parse)
    : readCountedBody(scope, new BodyBuffer(scope, body), parse);
}

/**
 * Reads a small body and parses it. It creates only one promise, since each takes a
 * hundredth of the time of a small request (Deno 2.9.6).
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
 * Waits for a body that is read by one call, and passes it to `use`. If the body
 * arrives too late, the promise rejects at once.
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
        // Deno 2.9 adds `Connection: close`.
        reject(new HttpError(status, message));
      },
    };
    deadlines.add(transfer);
    reading.then((body) => {
      deadlines.delete(transfer);
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
 * Whether a large body may be read by one call, which takes less time than reading it by
 * chunks; if so, memory is reserved for the body. The call does not show how much has arrived.
 * Therefore it is allowed only for a length at which any late body has averaged less than
 * 64 KiB/s, and if no other request waits for memory.
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
  // A late body takes memory until the client has sent the rest or disconnects.
  const reading = large.reading = scope.request.bytes();
  return readWhole(scope, reading, {
    movedBytes: claimedBytes,
    use(body) {
      large.reading = undefined;
      return parseLarge(scope, body, parse);
    },
  });
}

/**
 * Parses a large body, as soon as the slice of this round allows. If parsing takes several
 * steps, the request waits for its turn first.
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
