import { createTimeoutError, MIN_BYTES_PER_SECOND } from "./body.ts";
import { createBusyError, type HttpError } from "./response.ts";

/** Longest time between two checks, in milliseconds. */
const CHECK_MS = 100;

/** How far a transfer may fall behind the minimum rate while requests wait, in milliseconds. */
const MAX_LAG_MS = 1_000;

/**
 * Ends a transfer, which is a request body that arrives or a response that is sent, if it is
 * too slow.
 */
export class TransferTimeout {
  /** The error for the client once the transfer has timed out. */
  error: HttpError | undefined;
  readonly #startedAt = performance.now();
  #transferredBytes = 0;
  /** `performance.now()` at which a transfer at the minimum rate would have sent these bytes. */
  #coveredUntil = this.#startedAt;
  readonly #timer: ReturnType<typeof setInterval>;

  /**
   * @param timeoutMs How long a transfer below 64 KiB/s on average may take, in milliseconds.
   * @param isContended Whether requests wait for the slot of this transfer. While some do, it
   * must not fall behind 64 KiB/s by more than a second.
   * @param onTimeout Called once, unless `cancel()` is called before.
   */
  constructor(
    readonly timeoutMs: number,
    readonly isContended: () => boolean,
    readonly onTimeout: () => void,
  ) {
    const interval = Math.min(timeoutMs, CHECK_MS);
    this.#timer = setInterval(() => this.#check(), interval);
  }

  /**
   * Counts transferred bytes. They cover the time that they take at 64 KiB/s. Earlier bytes
   * cover at most the next second, so that a fast start doesn't permit a long stall.
   */
  advance(bytes: number): void {
    this.#transferredBytes += bytes;
    const coveredMs = 1_000 * bytes / MIN_BYTES_PER_SECOND;
    const latest = performance.now() + Math.max(coveredMs, 1_000);
    this.#coveredUntil = Math.min(this.#coveredUntil + coveredMs, latest);
  }

  #check(): void {
    const now = performance.now();
    const averageMs = 1_000 * this.#transferredBytes / MIN_BYTES_PER_SECOND;
    if (now - this.#startedAt > Math.max(this.timeoutMs, averageMs)) {
      // The server can close a connection whose body hasn't been read to its end.
      const headers = { connection: "close" };
      this.error = createTimeoutError(this.timeoutMs, headers);
    } else if (now - this.#coveredUntil > MAX_LAG_MS && this.isContended()) {
      this.error = createBusyError();
    } else {
      return;
    }
    this.cancel();
    this.onTimeout();
  }

  cancel(): void {
    clearInterval(this.#timer);
  }
}
