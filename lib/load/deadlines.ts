/** Rules for slow clients: the minimum rate of a transfer, and the time limit for receiving a body. */

import { HttpError } from "../http_error.ts";

/** Average rate from which on a transfer is never aborted, in bytes per second, inclusive. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/** Time between two checks for late bodies, in milliseconds. */
const INTERVAL_MS = 100;

/** A transfer of bytes from or to a client. */
export interface Transfer {
  /** Time of `performance.now()` since which the client can send or read; `Infinity` while it waits for the service. */
  readonly startTime: number;
  /** Bytes received from the client, or handed to the runtime for it. */
  readonly movedBytes: number;
  /** Ends the transfer. If no response has been sent, the error becomes the response. */
  abort(error: HttpError): void;
}

/** Whether a transfer is more than `graceMs` milliseconds later than one of 64 KiB/s. */
export function isSlow(
  { startTime, movedBytes }: Transfer,
  graceMs: number,
): boolean {
  const slowestMs = 1_000 * movedBytes / MIN_BYTES_PER_SECOND;
  return performance.now() > startTime + slowestMs + graceMs;
}

/** Aborts bodies that do not arrive in time. All bodies share one timer, which is faster than a timer for each (`docs/speed.md`). */
export class Deadlines {
  readonly #timeoutMs: number;
  // An array, since `add()` and `delete()` of a `Set` take a tenth of a small request's time (Deno 2.9.6).
  readonly #bodies: Transfer[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param timeoutMs Time limit for a body that averages less than 64 KiB/s, in milliseconds. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Whether a body is so short that the time limit alone enforces 64 KiB/s. The rate of such
   * a body need not be measured while it arrives.
   */
  isTimely(bytes: number): boolean {
    return bytes <= this.#timeoutMs / 1_000 * MIN_BYTES_PER_SECOND;
  }

  /** Starts watching a body, which is aborted with 408 if it arrives too late. */
  add(body: Transfer): void {
    this.#bodies.push(body);
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS);
  }

  /** Stops watching a body. Must be called exactly once for each. */
  delete(body: Transfer): void {
    // The search begins at the end, since bodies near the start are mostly stalled ones.
    const index = this.#bodies.lastIndexOf(body);
    const last = this.#bodies.pop()!;
    if (last !== body) this.#bodies[index] = last;
  }

  #check(): void {
    const message =
      `the body must arrive within ${this.#timeoutMs} milliseconds`;
    const latestStart = performance.now() - this.#timeoutMs;
    for (const body of this.#bodies) {
      if (body.startTime > latestStart || !isSlow(body, 0)) continue;
      body.abort(new HttpError(408, message, { connection: "close" }));
    }
    if (this.#bodies.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
