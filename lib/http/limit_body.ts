/** The plain way to receive bodies and answer requests: each for itself. */

import { doNotPause } from "../operation/context.ts";
import { type Bytes, resize } from "../values/buffer.ts";
import {
  type Admit,
  type BodyLimits,
  checkBytes,
  createSizeError,
  createTimeoutError,
  MIN_RATE,
  NO_BODY,
  readLength,
  SMALL_BYTES,
  toReadError,
} from "./body.ts";

/** Number of chunks of a body after which the runtime may handle other requests. */
const CHUNKS_PER_ROUND = 16;

/** Header that lets the server close a connection whose body is not read to its end. */
const CLOSE = { connection: "close" };

/**
 * Creates the plain way to answer requests: each for itself, with limits of its body only.
 * Nothing is kept between requests, and no timer runs after one. Like other programs on
 * `Deno.serve`, it can be held up by clients that send very many tiny chunks, or many large
 * bodies at once.
 */
export function limitBody(limits: BodyLimits): Admit {
  return async function admit(request, _info, compute) {
    const body = await readBody(request, limits);
    const isSmall = body.byteLength <= SMALL_BYTES;
    return await compute(body, isSmall ? doNotPause : letOthersRun);
  };
}

/** A `Pause` that lets the runtime handle other requests once. */
function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Reads a whole body.
 *
 * @throws {HttpError} 400, 408, 413, 415 or 501.
 * @throws {RangeError} if there is no memory for the body.
 */
async function readBody(request: Request, limits: BodyLimits): Promise<Bytes> {
  const { maxBodyBytes, bodyTimeoutMs } = limits;
  readLength(request, maxBodyBytes);
  if (request.body === null) return NO_BODY;
  const reader = request.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  const timeLimit = new TimeLimit(bodyTimeoutMs, cancel);
  let buffer = new ArrayBuffer();
  try {
    for (let chunks = 1;; chunks += 1) {
      const result = await reader.read().catch(toReadError);
      // First of all: how a read ends that the time limit has cancelled depends on the
      // runtime.
      if (timeLimit.isExceeded) throw createTimeoutError(bodyTimeoutMs, CLOSE);
      if (result instanceof Error) throw result;
      const { value, done } = result;
      const { received } = timeLimit;
      if (done) return new Uint8Array(buffer, 0, received);
      checkBytes(value);
      const end = received + value.byteLength;
      if (end > maxBodyBytes) throw createSizeError(maxBodyBytes);
      if (end > buffer.byteLength) {
        buffer = resize(buffer, Math.min(2 * end, maxBodyBytes));
      }
      new Uint8Array(buffer).set(value, received);
      timeLimit.received = end;
      if (chunks % CHUNKS_PER_ROUND === 0) await letOthersRun();
    }
  } finally {
    timeLimit.end();
    // Drops what is left of a body that is refused. Rejects if the client has disconnected.
    cancel();
  }
}

/** The time that a body may take: longer than `timeoutMs` while it averages 64 KiB/s. */
class TimeLimit {
  /** Number of bytes that have come. */
  received = 0;
  readonly #startedAt = performance.now();
  #timer: ReturnType<typeof setTimeout>;

  /** @param onExceeded Is called when the time is over, unless `end()` is called before. */
  constructor(
    readonly timeoutMs: number,
    readonly onExceeded: () => void,
  ) {
    this.#timer = setTimeout(() => this.#check(), timeoutMs);
  }

  get isExceeded(): boolean {
    return this.#leftMs <= 0;
  }

  get #leftMs(): number {
    const limit = Math.max(this.timeoutMs, 1_000 * this.received / MIN_RATE);
    return this.#startedAt + limit - performance.now();
  }

  #check(): void {
    const left = this.#leftMs;
    if (left > 0) this.#timer = setTimeout(() => this.#check(), left);
    else this.onExceeded();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
