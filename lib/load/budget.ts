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
  /**
   * Time since which the client can send or read, in milliseconds of
   * `performance.now()`; `Infinity` while the client waits for the service.
   */
  readonly startTime: number;
  /** Bytes received from the client, or handed to the runtime for it. */
  readonly movedBytes: number;
  /** Ends the transfer; the error is the response if there is none yet. */
  abort(error: HttpError): void;
}

/**
 * The limit of one thread, in bytes: its share of 64 MiB, but at least 16 MiB and
 * twice the largest body.
 */
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
  readonly #maxBytes: number;
  /** Bytes reserved by each transfer, oldest first. */
  readonly #reserved = new Map<Transfer, number>();
  #reservedBytes = 0;

  /** @param maxBytes Limit of the sum, in bytes, inclusive. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
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
    this.makeRoom(addedBytes, transfer);
    this.#reservedBytes += addedBytes;
    this.#reserved.set(transfer, bytes);
  }

  /** Aborts slow transfers as `reserve()` does, but reserves no bytes. */
  makeRoom(addedBytes: number, transfer?: Transfer): void {
    let missingBytes = this.#reservedBytes + addedBytes - this.#maxBytes;
    if (missingBytes <= 0) return;
    const slow: Transfer[] = [];
    for (const [other, otherBytes] of this.#reserved) {
      if (missingBytes <= 0) break;
      if (other === transfer || !isSlow(other, GRACE_MS)) continue;
      slow.push(other);
      missingBytes -= otherBytes;
    }
    const message = "too many large requests are in progress, please try again";
    const error = new HttpError(503, message, { "retry-after": "1" });
    if (missingBytes > 0) throw error;
    for (const other of slow) {
      this.release(other);
      other.abort(error);
    }
  }

  /** Releases everything that a transfer has reserved, if anything. */
  release(transfer: Transfer): void {
    this.#reservedBytes -= this.#reserved.get(transfer) ?? 0;
    this.#reserved.delete(transfer);
  }
}
