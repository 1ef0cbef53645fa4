/** Bounded reading of request bodies. */

import { hasRoom, waitForRoom } from "./answer.ts";
import { Deadlines } from "./deadlines.ts";
import { HttpError } from "./errors.ts";

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
 * A body that claims no more is read at once, in bytes. Until it comes it takes
 * what it claims, which is less than reading piece by piece does.
 */
const MAX_SMALL_BYTES = 128 * 1024;

/** All that is claimed by what is read at once; beyond, bodies are read in pieces. */
const MAX_CLAIMED_BYTES = 16 * 1024 * 1024;

/** All bodies that are arriving may hold as many bytes as this many of the largest. */
export const MAX_LARGEST_BODIES = 64;

/** A body that is being read. */
interface Arrival {
  /** Stops the reading; the request is answered with the error. */
  refuse(error: HttpError): void;
}

/**
 * Makes a reader of bodies. What claims to be small is read at once, while all
 * that do claim no more than 16 MiB. Everything else is counted while it streams
 * in, and memory is spent on what has come: when those bodies hold too much in
 * all, the one that has waited longest for its next byte is given up, so that
 * stalled clients make room for others.
 *
 * The reader throws `HttpError` 413 for a body above the limit, 408 for one
 * that has not arrived whole in time, 503 with `Retry-After` for one given up,
 * 400 for one that breaks off.
 */
export function createBodyReader(limits: BodyLimits): BodyReader {
  const { maxBodyBytes, bodyTimeoutMs } = limits;
  const maxHeldBytes = MAX_LARGEST_BODIES * maxBodyBytes;
  // The one that has waited longest for its next byte comes first.
  const arrivals = new Set<Arrival>();
  let heldBytes = 0;
  let claimedBytesInAll = 0;
  const deadlines = new Deadlines(bodyTimeoutMs);

  /** Reads a body at once. It cannot be given up before its connection ends. */
  function readAtOnce<Value>(
    request: Request,
    claimedBytes: number,
    parse: (body: Uint8Array) => Value,
  ): Promise<Value> {
    // By hand, since each promise more is a hundredth of a small request's time.
    return new Promise((resolve, reject) => {
      const deadline = deadlines.set(() => reject(tooLate(bodyTimeoutMs)));
      claimedBytesInAll += claimedBytes;
      function fail(error: unknown): void {
        deadlines.clear(deadline);
        claimedBytesInAll -= claimedBytes;
        reject(error);
      }
      function succeed(body: Uint8Array): void {
        deadlines.clear(deadline);
        claimedBytesInAll -= claimedBytes;
        try {
          if (body.byteLength > maxBodyBytes) throw tooLarge(maxBodyBytes);
          resolve(parse(body));
        } catch (error) {
          reject(error);
        }
      }
      request.bytes().then((body) => {
        if (hasRoom()) return succeed(body);
        deadlines.clear(deadline);
        waitForRoom().then(() => succeed(body), fail);
      }, () => fail(brokenOff()));
    });
  }

  /** Reads a body piece by piece, counting them. */
  async function readInPieces<Value>(
    request: Request,
    claimedBytes: number,
    parse: (body: Uint8Array) => Value,
  ): Promise<Value> {
    if (request.body === null) return parse(new Uint8Array());

    const reader = request.body.getReader();
    const bytes = new GrowingBytes(claimedBytes || maxBodyBytes);
    let refusal: HttpError | undefined;
    const arrival: Arrival = {
      refuse(error) {
        refusal = error;
        release();
        // Lets the rest drain, so that the connection stays usable. It fails
        // where the connection is gone: then there is nothing to drain.
        reader.cancel().catch(() => {});
      },
    };
    function release(): void {
      arrivals.delete(arrival);
      heldBytes -= bytes.capacity;
      bytes.clear();
    }

    const deadline = deadlines.set(() =>
      arrival.refuse(tooLate(bodyTimeoutMs))
    );
    try {
      for (;;) {
        const { done, value } = await reader.read().catch(() => {
          // Whatever stops the reading is the client's doing.
          throw brokenOff();
        });
        if (refusal !== undefined) throw refusal;
        if (done) break;
        heldBytes -= bytes.capacity;
        bytes.append(value);
        heldBytes += bytes.capacity;
        arrivals.delete(arrival);
        arrivals.add(arrival);
        if (bytes.length > maxBodyBytes) arrival.refuse(tooLarge(maxBodyBytes));
        else if (heldBytes > maxHeldBytes) {
          const [longestWaiting] = arrivals;
          longestWaiting?.refuse(tooBusy());
        }
      }
      // While it waits, the body counts as held, but it is not given up.
      deadlines.clear(deadline);
      arrivals.delete(arrival);
      if (!hasRoom()) await waitForRoom();
      return parse(bytes.take());
    } finally {
      deadlines.clear(deadline);
      release();
    }
  }

  return function readBody(request, parse) {
    const claimedBytes = Number(request.headers.get("content-length"));
    if (claimedBytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
    const isSmall = claimedBytes > 0 && claimedBytes <= MAX_SMALL_BYTES &&
      claimedBytesInAll + claimedBytes <= MAX_CLAIMED_BYTES;
    if (!isSmall) return readInPieces(request, claimedBytes, parse);
    return readAtOnce(request, claimedBytes, parse);
  };
}

function tooLarge(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

function tooLate(bodyTimeoutMs: number): HttpError {
  return new HttpError(
    408,
    `the body must arrive within ${bodyTimeoutMs} milliseconds`,
    { connection: "close" },
  );
}

function brokenOff(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}

function tooBusy(): HttpError {
  return new HttpError(
    503,
    "too many large bodies are arriving, please try again",
    { "retry-after": "1" },
  );
}

/**
 * Bytes collected into one buffer of at most four times their length. The
 * server's chunks are not kept: one of a single byte can hold 64 KiB.
 */
class GrowingBytes {
  length = 0;
  readonly #expectedLength: number;
  #buffer = new Uint8Array();

  constructor(expectedLength: number) {
    this.#expectedLength = expectedLength;
  }

  append(chunk: Uint8Array): void {
    const length = this.length + chunk.byteLength;
    if (length > this.#buffer.byteLength) {
      const capacity = Math.min(4 * length, this.#expectedLength);
      const grown = new Uint8Array(Math.max(length, capacity));
      grown.set(this.#buffer.subarray(0, this.length));
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  /** The memory that is taken, in bytes. */
  get capacity(): number {
    return this.#buffer.byteLength;
  }

  take(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
    this.#buffer = new Uint8Array();
  }
}
