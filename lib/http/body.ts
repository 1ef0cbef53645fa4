/** Bounded reading of request bodies. */

import { describe } from "../quote.ts";
import { Arrival, brokenOff, tooManyBodies } from "./arrival.ts";
import { Deadlines } from "./deadlines.ts";
import { HttpError } from "./errors.ts";
import { MAX_AT_ONCE_BYTES, type Memory, SMALL_BYTES } from "./memory.ts";
import { assertPresent, type Turns } from "./turns.ts";

/** What request bodies may cost. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /** Time for a body to arrive whole, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

/** Reads the whole body of a request, empty where there is none, as a value. */
export type BodyReader = <Value>(
  request: Request,
  parse: (body: Uint8Array) => Value,
) => Promise<Value>;

/**
 * Makes a reader of bodies. What claims to be small, or of middle size while
 * there is room for it, is read in one go. Everything else is counted while it
 * streams in, and memory is spent on what has come.
 *
 * The reader throws `HttpError` 415 for a body that is encoded (RFC 9110, section
 * 15.5.16), 413 for one above the limit, 408 for one that has not arrived whole in
 * time, 503 with `Retry-After` for one that was given up or found no room, if it
 * says its length before it is read, 400 for one that breaks off.
 */
export function createBodyReader(
  { maxBodyBytes, bodyTimeoutMs }: BodyLimits,
  { memory, turns }: { readonly memory: Memory; readonly turns: Turns },
): BodyReader {
  const deadlines = new Deadlines(bodyTimeoutMs);

  /** Reads a body in one go. It takes what it claims until its connection ends. */
  function readAtOnce<Value>(
    request: Request,
    parse: (body: Uint8Array) => Value,
    release: () => void,
  ): Promise<Value> {
    // By hand, since each promise more is a hundredth of a small request's time.
    return new Promise((resolve, reject) => {
      // The runtime itself says that the connection closes.
      const deadline = deadlines.set(() => reject(tooLate(bodyTimeoutMs)));
      function settle(body: Uint8Array | undefined): void {
        deadlines.clear(deadline);
        release();
        try {
          if (body === undefined) throw brokenOff();
          if (body.byteLength > maxBodyBytes) throw tooLarge(maxBodyBytes);
          resolve(parse(body));
        } catch (error) {
          reject(error);
        }
      }
      // Whatever stops the reading is the client's doing.
      request.bytes().then(settle, () => settle(undefined));
    });
  }

  /** Reads a body piece by piece, counting them. */
  async function readInPieces<Value>(
    request: Request,
    claimedBytes: number,
    parse: (body: Uint8Array) => Value,
  ): Promise<Value> {
    if (request.body === null) return parse(new Uint8Array());
    const arrival = new Arrival(request.body, {
      expectedBytes: claimedBytes || maxBodyBytes,
    });
    const deadline = deadlines.set(() =>
      arrival.refuse(tooLate(bodyTimeoutMs, { connection: "close" }))
    );
    try {
      for (;;) {
        const mayHaveMore = await arrival.readPiece();
        if (arrival.movedBytes > maxBodyBytes) {
          arrival.refuse(tooLarge(maxBodyBytes));
        } else if (!mayHaveMore) {
          break;
        } else if (arrival.isFull) {
          const capacity = arrival.nextCapacity;
          if (memory.hold(arrival, capacity)) arrival.grow(capacity);
          else arrival.giveUp();
        }
      }
      if (arrival.movedBytes > MAX_AT_ONCE_BYTES) {
        // It waits for its turn, and cannot be too slow any more.
        arrival.startTime = Infinity;
        await turns.take();
        assertPresent(request);
      } else if (arrival.movedBytes <= SMALL_BYTES) turns.noteSmall();
      return parse(arrival.bytes);
    } finally {
      deadlines.clear(deadline);
      memory.release(arrival);
    }
  }

  return function readBody(request, parse) {
    const { headers } = request;
    const encoding = headers.get("content-encoding");
    if (encoding !== null) checkContentEncoding(encoding);
    const claimedBytes = Number(headers.get("content-length"));
    if (claimedBytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
    if (claimedBytes > 0) {
      if (claimedBytes <= SMALL_BYTES) {
        turns.noteSmall();
        return readAtOnce(request, parse, () => {});
      }
      if (memory.claim(claimedBytes)) {
        return readAtOnce(request, parse, () => memory.unclaim(claimedBytes));
      }
      // What is refused before it is read costs least.
      if (!memory.makeRoom(claimedBytes)) throw tooManyBodies();
    }
    return readInPieces(request, claimedBytes, parse);
  };
}

/** Names of codings are compared without regard to case (RFC 9110, section 8.4.1). */
function checkContentEncoding(encoding: string): void {
  if (/^[ \t,]*(?:identity[ \t,]*)*$/i.test(encoding)) return;
  throw new HttpError(
    415,
    `the Content-Encoding header must be "identity" or absent, got ${
      describe(encoding)
    }`,
    // What would be accepted (RFC 9110, section 12.5.3).
    { "accept-encoding": "identity" },
  );
}

function tooLarge(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

function tooLate(
  bodyTimeoutMs: number,
  headers: Readonly<Record<string, string>> = {},
): HttpError {
  return new HttpError(
    408,
    `the body must arrive within ${bodyTimeoutMs} milliseconds`,
    headers,
  );
}
