/** Lowest average rate at which a transfer is never aborted, in bytes per second. */
const MIN_RATE = 64 * 1024;

/** A body that comes from a client, or an answer that is sent to a client. */
export class Transfer {
  /** Number of bytes that count as received or sent. */
  moved = 0;
  /** Value of `elapsedMs` when the clock was last stopped, in milliseconds; 0 at first. */
  #earlierMs = 0;
  /** `performance.now()` when the clock was started; `undefined` while it is stopped. */
  #startedAt: number | undefined;

  /**
   * Is called if the transfer is too slow; `Upload` and `Download` set a function that ends
   * it.
   */
  abort(_error: Error): void {}

  /** Starts the clock: from now on the service waits for the client. */
  startClock(): void {
    this.#startedAt = performance.now();
  }

  /** Starts the clock anew, as if nothing had been moved yet. */
  restartClock(): void {
    this.moved = 0;
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
    return this.elapsedMs - 1_000 * this.moved / MIN_RATE;
  }
}
