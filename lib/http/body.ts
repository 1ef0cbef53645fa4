/** Bounded reading of request bodies. */

import { describe } from "../quote.ts";
import { Deadlines } from "./deadlines.ts";
import { HttpError } from "./errors.ts";
import {
  MAX_AT_ONCE_BYTES,
  type Memory,
  SMALL_BYTES,
  type Transfer,
} from "./memory.ts";
import { takeTurn } from "./turns.ts";

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

/** A piece is read whole before it is looked at, however small its chunks; in bytes. */
const PIECE_BYTES = 64 * 1024;

/**
 * Makes a reader of bodies. What claims to be small, or of middle size while
 * there is room for it, is read in one go. Everything else is counted while it
 * streams in, and memory is spent on what has come.
 *
 * The reader throws `HttpError` 415 for a body that is encoded (RFC 9110, section
 * 15.5.16), 413 for one above the limit, 408 for one
 * that has not arrived whole in time, 503 with `Retry-After` for one that was
 * given up or found no room, 400 for one that breaks off.
 */
export function createBodyReader(
  { maxBodyBytes, bodyTimeoutMs }: BodyLimits,
  memory: Memory,
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
      deadlines.clear(deadline);
      if (arrival.movedBytes > MAX_AT_ONCE_BYTES) {
        // It waits for its turn, and cannot be too slow any more.
        arrival.startTime = Infinity;
        await takeTurn();
      }
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
        return readAtOnce(request, parse, () => {});
      }
      if (memory.claim(claimedBytes)) {
        return readAtOnce(request, parse, () => memory.unclaim(claimedBytes));
      }
    }
    return readInPieces(request, claimedBytes, parse);
  };
}

/** A body that arrives piece by piece, in a buffer that grows with it. */
class Arrival implements Transfer {
  startTime = performance.now();
  movedBytes = 0;
  readonly #reader: ReadableStreamBYOBReader;
  readonly #expectedBytes: number;
  /** What has come, and free room behind it: what is small shows its end in it. */
  #buffer = new Uint8Array(SMALL_BYTES + 1);
  #refusal: HttpError | undefined;

  constructor(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    { expectedBytes }: { expectedBytes: number },
  ) {
    this.#reader = getByteReader(body);
    this.#expectedBytes = expectedBytes;
  }

  /** What has come. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.movedBytes);
  }

  /** Whether the buffer has no room left. */
  get isFull(): boolean {
    return this.movedBytes === this.#buffer.byteLength;
  }

  /**
   * The size that a full buffer should grow to, in bytes: four times its own,
   * or, if that is enough, just so much that a byte too many would fit.
   */
  get nextCapacity(): number {
    const capacity = 4 * this.#buffer.byteLength;
    return this.movedBytes > this.#expectedBytes
      ? capacity
      : Math.min(capacity, this.#expectedBytes + 1);
  }

  /** Grows the buffer. */
  grow(capacity: number): void {
    const grown = new Uint8Array(capacity);
    grown.set(this.#buffer);
    this.#buffer = grown;
  }

  /**
   * Reads a piece into the free room; whether there may be more.
   *
   * @throws {HttpError} 400 where the body breaks off, and the error with which
   * it was refused meanwhile.
   */
  async readPiece(): Promise<boolean> {
    const free = this.#buffer.subarray(
      this.movedBytes,
      this.movedBytes + PIECE_BYTES,
    );
    // Read whole, so that a body costs by its bytes and not by its chunks.
    const min = free.byteLength;
    const { done, value } = await this.#reader.read(free, { min }).catch(() => {
      throw this.#refusal ?? brokenOff();
    });
    if (this.#refusal !== undefined) throw this.#refusal;
    // The reader took the buffer, and hands it back with the piece.
    if (value !== undefined) {
      this.#buffer = new Uint8Array(value.buffer);
      this.movedBytes += value.byteLength;
    }
    return !done && value.byteLength === min;
  }

  /** Stops the reading: the next or pending `readPiece()` throws the error. */
  refuse(error: HttpError): void {
    this.#refusal = error;
    // Lets the rest drain, so that the connection stays usable. It fails where
    // the connection is gone: then there is nothing to drain.
    this.#reader.cancel().catch(() => {});
  }

  giveUp(): void {
    this.refuse(
      new HttpError(
        503,
        "too many large bodies are arriving, please try again",
        { "retry-after": "1" },
      ),
    );
  }
}

/** Reads a body into given buffers. One that has arrived already must be wrapped. */
function getByteReader(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStreamBYOBReader {
  try {
    return body.getReader({ mode: "byob" });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const reader = body.getReader();
  const bytes = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return controller.byobRequest?.respond(0);
        }
        if (value.byteLength > 0) return controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return bytes.getReader({ mode: "byob" });
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

function brokenOff(): HttpError {
  return new HttpError(400, "the body broke off before its end");
}
