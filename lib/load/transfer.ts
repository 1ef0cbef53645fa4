/** Lowest average rate of a client whose transfer is never aborted, in bytes per second. */
const MIN_RATE = 64 * 1024;

/** A body that comes from a client, or an answer that goes to one. */
export class Transfer {
  /** Bytes that have been received or sent. */
  moved = 0;
  /** Bytes that are reserved for it in a room. */
  reserved = 0;
  /** Time that the clock showed when it was last started or stopped, in milliseconds. */
  #earlierMs = 0;
  /** `performance.now()` when the clock was started; `undefined` while it stands. */
  #startedAt: number | undefined;

  /** Ends the transfer of a client that is too slow; set by the exchange. */
  abort(_error: Error): void {}

  /** Starts the clock: from now on the service waits for the client. */
  startClock(): void {
    this.#startedAt = performance.now();
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
   * Time that the transfer has taken in addition to its time at 64 KiB/s, in milliseconds;
   * negative for a faster one, and while the client waits for the service.
   */
  get delayMs(): number {
    if (this.#startedAt === undefined) return -Infinity;
    return this.elapsedMs - 1_000 * this.moved / MIN_RATE;
  }
}
