/** The memory that clients can make the service hold, within one limit. */

import { HttpError } from "../http_error.ts";

/** Largest request body or result that is not counted, in bytes, inclusive. */
export const SMALL_BYTES = 32 * 1024;

/** Slowest average rate at which a transfer is never aborted, in bytes a second. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/** Grace period before the rate of a transfer is checked, in milliseconds. */
const GRACE_MS = 1_000;

/** Limit for all threads together, and the smallest one of a thread, in bytes. */
const PROCESS_BYTES = 64 * 1024 * 1024;
const MIN_THREAD_BYTES = 16 * 1024 * 1024;

/** A body being received, or a result being sent. */
export interface Transfer {
  /** Time of `performance.now()` since which the client can send or read; `Infinity` while it waits. */
  readonly startTime: number;
  /** Bytes received from the client, or handed to the runtime for it. */
  readonly movedBytes: number;
  /** Ends the transfer; the error is the response if there is none yet. */
  abort(error: HttpError): void;
}

/** The limit of one thread, in bytes: its share of 64 MiB, but at least 16 MiB and twice the largest body. */
export function getThreadBytes(maxBodyBytes: number, threads: number): number {
  return Math.max(PROCESS_BYTES / threads, MIN_THREAD_BYTES, 2 * maxBodyBytes);
}

/** Whether a transfer is below 64 KiB/s on average since its start, after a grace period. */
export function isSlow(
  { startTime, movedBytes }: Transfer,
  graceMs: number,
): boolean {
  const slowestMs = 1_000 * movedBytes / MIN_BYTES_PER_SECOND;
  return performance.now() > startTime + slowestMs + graceMs;
}

/** Counts the bytes of transfers above 32 KiB, and keeps their sum within a limit. */
export class Budget {
  /** Bytes reserved by each transfer, oldest first. */
  readonly #reserved = new Map<Transfer, number>();
  #freeBytes: number;

  /** @param maxBytes Limit of the sum, in bytes, inclusive. */
  constructor(maxBytes: number) {
    this.#freeBytes = maxBytes;
  }

  /**
   * Sets the number of bytes that a transfer holds. If there is no room for them,
   * slow transfers are aborted, oldest first.
   *
   * @throws {HttpError} 503 with `Retry-After` if the slow transfers hold too
   * little; then none is aborted and no reservation changes.
   */
  reserve(transfer: Transfer, bytes: number): void {
    const addedBytes = bytes - (this.#reserved.get(transfer) ?? 0);
    if (addedBytes > this.#freeBytes) this.#makeRoom(addedBytes, transfer);
    this.#freeBytes -= addedBytes;
    this.#reserved.set(transfer, bytes);
  }

  #makeRoom(neededBytes: number, transfer: Transfer): void {
    const slow: Transfer[] = [];
    let freeBytes = this.#freeBytes;
    for (const [other, otherBytes] of this.#reserved) {
      if (freeBytes >= neededBytes) break;
      if (other === transfer || !isSlow(other, GRACE_MS)) continue;
      slow.push(other);
      freeBytes += otherBytes;
    }
    const message = "too many large requests are in progress, please try again";
    const error = new HttpError(503, message, { "retry-after": "1" });
    if (freeBytes < neededBytes) throw error;
    for (const other of slow) {
      this.release(other);
      other.abort(error);
    }
  }

  /** Releases everything that a transfer has reserved, if anything. */
  release(transfer: Transfer): void {
    this.#freeBytes += this.#reserved.get(transfer) ?? 0;
    this.#reserved.delete(transfer);
  }
}
