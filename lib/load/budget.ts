/** The memory that clients can make the service hold, within one limit. */

import { HttpError } from "../http_error.ts";

/** Largest request body or result that is not counted, in bytes, inclusive. */
export const SMALL_BYTES = 32 * 1024;

/** Slowest average rate at which a transfer is never aborted, in bytes a second. */
export const MIN_BYTES_PER_SECOND = 64 * 1024;

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
  abort(): void;
}

/**
 * The limit of one thread, in bytes: its share of 64 MiB, but at least 16 MiB and
 * twice the largest body.
 */
export function getThreadBytes(maxBodyBytes: number, threads: number): number {
  return Math.max(PROCESS_BYTES / threads, MIN_THREAD_BYTES, 2 * maxBodyBytes);
}

/**
 * Time until a transfer that moves nothing more is below 64 KiB/s on average since
 * its start, in milliseconds; negative if it is below that already.
 */
export function getAheadMs({ startTime, movedBytes }: Transfer): number {
  const slowestMs = 1_000 * movedBytes / MIN_BYTES_PER_SECOND;
  return startTime + slowestMs - performance.now();
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

  /** Releases everything that a transfer has reserved, if anything. */
  release(transfer: Transfer): void {
    this.#reservedBytes -= this.#reserved.get(transfer) ?? 0;
    this.#reserved.delete(transfer);
  }

  /** Aborts slow transfers as `reserve()` does, but reserves no bytes. */
  makeRoom(bytes: number, requester?: Transfer): void {
    let missingBytes = this.#reservedBytes + bytes - this.#maxBytes;
    const slow: Transfer[] = [];
    for (const [transfer, reservedBytes] of this.#reserved) {
      if (missingBytes <= 0) break;
      if (transfer === requester || getAheadMs(transfer) > -GRACE_MS) continue;
      slow.push(transfer);
      missingBytes -= reservedBytes;
    }
    if (missingBytes > 0) throw createBusyError();
    for (const transfer of slow) {
      this.release(transfer);
      transfer.abort();
    }
  }
}

/** The error of a large request for which the budget has no room. */
export function createBusyError(): HttpError {
  const message = "too many large requests are in progress, please try again";
  return new HttpError(503, message, { "retry-after": "1" });
}
