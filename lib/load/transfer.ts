/** Lowest average rate of a client whose transfer is never aborted, in bytes per second. */
const MIN_RATE = 64 * 1024;

/** A body that comes from a client, or an answer that goes to one. */
export class Transfer {
  /** `performance.now()` when it began; `Infinity` while the client waits for the service. */
  start = Infinity;
  /** Bytes that have been received or sent. */
  moved = 0;
  /** Bytes that are reserved for it in a room. */
  reserved = 0;
  /** Ends the transfer, because its client is too slow or late. */
  abort(_error: Error): void {}

  /** Returns by how many milliseconds it is later than at 64 KiB/s. */
  get delayMs(): number {
    return this.elapsedMs - 1_000 * this.moved / MIN_RATE;
  }

  /** Time since it began, in milliseconds. */
  get elapsedMs(): number {
    return performance.now() - this.start;
  }
}
