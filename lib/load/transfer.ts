/** Transfers of bodies and answers: how slow they are, and which bodies are late. */

import { createTimeoutError, MIN_RATE } from "../http/body.ts";

/** Time between two checks for late bodies, in milliseconds. */
const DEADLINES_CHECK_MS = 100;

/** A body that comes from a client, or an answer that is sent to a client. */
export class Transfer {
  #moved = 0;
  #onAbort: ((error: Error) => void) | undefined;
  /** Value of `elapsedMs` when the clock was last stopped, in milliseconds; 0 at first. */
  #earlierMs = 0;
  /** `performance.now()` when the clock was started; `undefined` while it is stopped. */
  #startedAt: number | undefined;

  /** Number of bytes that count as received or sent. */
  get moved(): number {
    return this.#moved;
  }

  /** Counts bytes as received or sent. */
  advance(bytes: number): void {
    this.#moved += bytes;
  }

  /**
   * Sets the function that ends the transfer, and gives its memory back, when it is too
   * slow. It replaces an earlier one.
   */
  onAbort(end: (error: Error) => void): void {
    this.#onAbort = end;
  }

  /** Ends the transfer, which is too slow, with the error for its client. */
  abort(error: Error): void {
    this.#onAbort?.(error);
  }

  /** Starts the clock: from now on the service waits for the client. */
  startClock(): void {
    this.#startedAt = performance.now();
  }

  /** Starts the clock anew, as if nothing had been moved yet. */
  restartClock(): void {
    this.#moved = 0;
    this.#earlierMs = 0;
    this.startClock();
  }

  /** Stops the clock: from now on the client waits for the service. */
  stopClock(): void {
    this.#earlierMs = this.elapsedMs;
    this.#startedAt = undefined;
  }

  /** Time for which the service has waited for the client, in milliseconds. */
  get elapsedMs(): number {
    if (this.#startedAt === undefined) return this.#earlierMs;
    return this.#earlierMs + performance.now() - this.#startedAt;
  }

  /**
   * Delay of the transfer, in milliseconds: `elapsedMs` less the time that `moved` bytes
   * take at 64 KiB/s. Negative if the transfer is faster than 64 KiB/s; `-Infinity` while
   * the client waits for the service.
   */
  get delayMs(): number {
    if (this.#startedAt === undefined) return -Infinity;
    return this.elapsedMs - 1_000 * this.#moved / MIN_RATE;
  }
}

/** Checks the time limits of all bodies that a thread is receiving, with one timer. */
export class Deadlines {
  readonly #bodies = new Set<Transfer>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param timeoutMs Time limit for a body that averages less than 64 KiB/s, in
   * milliseconds. Only the time for which the service waits for the client counts.
   */
  constructor(readonly timeoutMs: number) {}

  /** Watches a body. If it exceeds its time limit, aborts it, with an `HttpError` 408. */
  add(body: Transfer): void {
    this.#bodies.add(body);
    this.#timer ??= setInterval(() => this.#check(), DEADLINES_CHECK_MS);
  }

  delete(body: Transfer): void {
    this.#bodies.delete(body);
  }

  #check(): void {
    for (const body of this.#bodies) {
      if (body.elapsedMs <= this.timeoutMs || body.delayMs <= 0) continue;
      this.#bodies.delete(body);
      body.abort(createTimeoutError(this.timeoutMs));
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
