/** Rules for slow clients: the minimum rate of a transfer, and the time limit for receiving a body. */

import { HttpError } from "../http_error.ts";

/** Lowest average rate at which a transfer is not aborted as too slow, in bytes per second. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/** Time between two checks for late bodies, in milliseconds. */
const INTERVAL_MS = 100;

/** A transfer of bytes from or to a client. */
export interface Transfer {
  /**
   * Time (`performance.now()`) at which the measurement of the client's rate begins;
   * `Infinity` while the client waits for the service, so that it does not count as slow.
   */
  readonly startTime: number;
  /** Number of bytes received from the client, or handed to the runtime to be sent to the client. */
  readonly movedBytes: number;
  /** Ends the transfer. If no response has been sent yet, the error becomes the response. */
  abort(error: HttpError): void;
}

/** Whether a transfer has taken more than `graceMs` milliseconds longer than its bytes would take at 64 KiB/s. */
export function isSlow(
  { startTime, movedBytes }: Transfer,
  graceMs: number,
): boolean {
  const slowestMs = 1_000 * movedBytes / MIN_BYTES_PER_SECOND;
  return performance.now() > startTime + slowestMs + graceMs;
}

/**
 * Aborts request bodies that do not arrive in time. All bodies share one timer, which takes
 * less processor time than a timer for each body.
 */
export class Deadlines {
  readonly #timeoutMs: number;
  // The bodies are in an array, since `add()` and `delete()` of a `Set` would take a tenth of a small request's time (Deno 2.9.6).
  readonly #bodies: Transfer[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param timeoutMs Time limit for a body that averages less than 64 KiB/s, in milliseconds. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Whether a body of this length arrives within the time limit if its client sends 64
   * KiB/s. If so, the body may be aborted when it is late, even if the service cannot tell
   * how many of its bytes have arrived.
   *
   * @param bytes Length of the body.
   */
  isTimely(bytes: number): boolean {
    return bytes <= this.#timeoutMs / 1_000 * MIN_BYTES_PER_SECOND;
  }

  /** Starts watching a body, which is aborted with 408 if it arrives too late. */
  add(body: Transfer): void {
    this.#bodies.push(body);
    this.#timer ??= setInterval(() => this.#check(), INTERVAL_MS);
  }

  /** Stops watching a body. Must be called exactly once for each body. */
  delete(body: Transfer): void {
    // The search begins at the end, where the latest bodies are: most bodies arrive soon,
    // and those that stay near the start mostly belong to stalled clients.
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
