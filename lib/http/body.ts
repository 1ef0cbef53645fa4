/** Reading of request bodies, and of what they contain. */

import { HttpError } from "../http_error.ts";
import {
  BodyBuffer,
  createBrokenError,
  createSizeError,
} from "../load/body_buffer.ts";
import {
  getLarge,
  type RequestScope,
  runLarge,
  SMALL_BYTES,
  takeTurn,
} from "../load/load.ts";
import { isWork, runAtOnce, type Work } from "../work.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Makes the value of a body, at once or in steps. */
type Parse<Value> = (body: Uint8Array) => Value | Work<Value>;

/**
 * Reads the whole body of a request, empty if there is none, and parses it. The
 * parsing of a body above 32 KiB runs in slices.
 *
 * @throws {HttpError} 413 for a body above the limit, 408 for one that is late, 503 and
 * 499 in the cases of `Room.reserve()`, 400 for one that breaks off or comes in too many
 * small chunks; and errors of `parse`.
 */
export function readBody<Value>(
  scope: RequestScope,
  parse: Parse<Value>,
): Promise<Value> {
  const { request, info, load: { maxBodyBytes } } = scope;
  const length = request.headers.get("content-length");
  const claimedBytes = Number(length);
  if (claimedBytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
  // To read `completed` would create a promise.
  const isFromServe = info !== undefined && "completed" in info;
  // Deno 2.5 accepts a length beside chunks, which may then be wrong, as it may be
  // in requests of other servers. `has()` would make Deno 2.9 copy all headers.
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
  // Read last: it would make `bytes()` slow.
  const { body } = request;
  return body === null
    ? readSmallBody(scope, claimedBytes, parse)
    : readCountedBody(scope, new BodyBuffer(scope, body), parse);
}

/** Reads a small body and parses it, with one promise, since each costs a hundredth of a request. */
function readSmallBody<Value>(
  scope: RequestScope,
  claimedBytes: number,
  parse: Parse<Value>,
): Promise<Value> {
  scope.load.scheduler.noteSmallRequest();
  return readWhole(scope, scope.request.bytes(), {
    movedBytes: claimedBytes,
    use(body) {
      const value = parse(body);
      return isWork(value) ? runAtOnce(value) : value;
    },
  });
}

/** Waits for a body that is read by one call, unless it is late, and makes a value of it. */
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
 * Reserves room for a large body that is read by one call, which takes a fifth less time,
 * but gives no progress. Therefore it must be late at once if it is late at all, and no
 * other may wait.
 */
function canReadWhole(scope: RequestScope, bytes: number): boolean {
  const { quickBodies, bodies, deadlines } = scope.load;
  const large = getLarge(scope);
  if (
    bodies.waiting > 0 || !deadlines.isTimely(bytes) ||
    !quickBodies.tryReserve(large, bytes)
  ) return false;
  if (bodies.tryReserve(large, bytes)) return true;
  quickBodies.release(large);
  return false;
}

async function readWholeBody<Value>(
  scope: RequestScope,
  claimedBytes: number,
  parse: Parse<Value>,
): Promise<Value> {
  const { quickBodies, bodies } = scope.load;
  const large = getLarge(scope);
  function release(): void {
    quickBodies.release(large);
    bodies.release(large);
  }
  const reading = scope.request.bytes();
  try {
    return await readWhole(scope, reading, {
      movedBytes: claimedBytes,
      use: (body) => parseLarge(scope, body, parse),
    });
  } finally {
    // Of a body that is late, the memory is held as long as the client stands still.
    reading.then(release, release);
  }
}

async function parseLarge<Value>(
  scope: RequestScope,
  body: Bytes,
  parse: Parse<Value>,
): Promise<Value> {
  await takeTurn(scope, body.byteLength);
  const value = parse(body);
  return isWork(value) ? await runLarge(scope, value) : value;
}

async function readCountedBody<Value>(
  scope: RequestScope,
  body: BodyBuffer,
  parse: Parse<Value>,
): Promise<Value> {
  const { scheduler } = scope.load;
  try {
    await body.receive();
    const isSmall = body.movedBytes <= SMALL_BYTES;
    if (isSmall) scheduler.noteSmallRequest();
    else await takeTurn(scope, body.movedBytes);
    const value = parse(body.join());
    if (!isWork(value)) return value;
    return isSmall ? runAtOnce(value) : await runLarge(scope, value);
  } finally {
    body.release();
  }
}
