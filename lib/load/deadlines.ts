/** The slowest transfers, and times by which bodies must have arrived. */

import { HttpError } from "../http_error.ts";

/** Slowest average rate at which a transfer is never aborted, in bytes a second. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/** Time between two checks, in milliseconds. */
const INTERVAL_MS = 100;

/** A transfer of bytes from or to a client. */
export interface Transfer {
  /** Time of `performance.now()` since which the client can send or read; `Infinity` while it waits. */
  readonly startTime: number;
  /** Bytes received from the client, or handed to the runtime for it. */
  readonly movedBytes: number;
  /** Ends the transfer; the error is the response if there is none yet. */
  abort(error: HttpError): void;
}

/** Whether a transfer is below 64 KiB/s on average since its start, after a grace period. */
export function isSlow(
  { startTime, movedBytes }: Transfer,
  graceMs: number,
): boolean {
  const slowestMs = 1_000 * movedBytes / MIN_BYTES_PER_SECOND;
  return performance.now() > startTime + slowestMs + graceMs;
}

/** Aborts late bodies. One timer serves all: one each would take a tenth of the time of a small request. */
export class Deadlines {
  readonly #timeoutMs: number;
  // To add to and delete from a set would take another tenth.
  readonly #bodies: Transfer[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param timeoutMs Time for a body below 64 KiB/s on average, in milliseconds. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a body of this length is slow if it has not arrived when its time is over. */
  isTimely(bytes: number): boolean {
    return bytes <= this.#timeoutMs / 1_000 * MIN_BYTES_PER_SECOND;
  }

  /** Adds a body, which is aborted with 408 if it is late. */
  add(body: Transfer): void {
    this.#bodies.push(body);
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS);
  }

  /** Removes a body, exactly once. */
  delete(body: Transfer): void {
    // From the end, since most bodies before it have stalled.
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
