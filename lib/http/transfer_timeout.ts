import { createTimeoutError, MIN_BYTES_PER_SECOND } from "./body.ts";
import { createBusyError, type HttpError } from "./response.ts";

const CHECK_MS = 100;

/** How far a transfer can fall behind the minimum rate while requests are waiting. */
const MAX_LAG_MS = 1_000;

/** Ends a transfer (a request body or a response) that is too slow. */
export class TransferTimeout {
  /** Set when the transfer has timed out. */
  error: HttpError | undefined;
  readonly #startedAt = performance.now();
  #transferredBytes = 0;
  /** The `performance.now()` at which a transfer at the minimum rate would need more bytes. */
  #coveredUntil = this.#startedAt;
  readonly #timer: ReturnType<typeof setInterval>;

  /**
   * @param timeoutMs Time limit for transfers that average less than 64 KiB/s.
   * @param isContended Returns whether requests are waiting for slots. If so, the transfer must
   * not fall behind 64 KiB/s by more than a second.
   * @param onTimeout Called once, unless `cancel()` is called first.
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
   * Counts transferred bytes. Bytes in excess of 64 KiB/s cover at most the next second, so a
   * fast start doesn't permit a long stall.
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
      // Makes the server close the connection instead of reading the rest of the body.
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
