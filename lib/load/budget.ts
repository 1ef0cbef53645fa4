/**
 * The memory that clients can make the service hold: request bodies being
 * received and results being sent. Requests and responses of at most
 * `SMALL_BYTES` are not counted and never rejected.
 *
 * @module
 */

import { HttpError } from "../http_error.ts";

/** Largest body or result that is not counted, in bytes, inclusive: 32 KiB. */
export const SMALL_BYTES = 32 * 1024;

/** Slowest average rate at which a transfer is never aborted, in bytes a second. */
export const MIN_BYTES_PER_SECOND = 64 * 1024;

/** Grace period at the start of a transfer, in milliseconds. */
const GRACE_MS = 1_000;

/** Limit for all threads of the process together, in bytes: 64 MiB. */
const PROCESS_BYTES = 64 * 1024 * 1024;

/** Smallest limit of one thread, in bytes: 16 MiB. */
const MIN_THREAD_BYTES = 16 * 1024 * 1024;

/** A body being received, or a result being sent. */
export interface Transfer {
  /**
   * Time at which the client could begin to send or to read, in milliseconds of
   * `performance.now()`; `Infinity` while the client waits for the service.
   */
  readonly startTime: number;
  /** Bytes sent by the client, or handed to the runtime for it. */
  readonly movedBytes: number;
  /** Ends the transfer early. */
  abort(): void;
}

/**
 * The limit of one thread, in bytes: its share of 64 MiB, but at least 16 MiB and
 * twice the largest body.
 */
export function getThreadBytes(
  { maxBodyBytes, threads }: {
    readonly maxBodyBytes: number;
    readonly threads: number;
  },
): number {
  return Math.max(PROCESS_BYTES / threads, MIN_THREAD_BYTES, 2 * maxBodyBytes);
}

/**
 * Time until a transfer that moves nothing more falls below 64 KiB/s on average
 * since its start, in milliseconds; negative if it is slower already.
 */
export function getAheadMs({ startTime, movedBytes }: Transfer): number {
  const slowestMs = 1_000 * movedBytes / MIN_BYTES_PER_SECOND;
  return startTime + slowestMs - performance.now();
}

/** Counts the bytes of transfers, and keeps their sum within a limit. */
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
   * Sets the number of bytes that a transfer holds. If the sum would exceed the
   * limit, slow transfers are aborted, oldest first.
   *
   * @throws {HttpError} 503 with `Retry-After` if the slow transfers hold too
   * little; then none is aborted and the reservation stays as it was.
   */
  reserve(transfer: Transfer, bytes: number): void {
    const addedBytes = bytes - (this.#reserved.get(transfer) ?? 0);
    this.#free(this.#reservedBytes + addedBytes - this.#maxBytes, transfer);
    this.#reservedBytes += addedBytes;
    this.#reserved.set(transfer, bytes);
  }

  /**
   * Frees room as `reserve()` does, without reserving it.
   *
   * @throws {HttpError} 503 with `Retry-After` as `reserve()` does.
   */
  makeRoom(bytes: number): void {
    this.#free(this.#reservedBytes + bytes - this.#maxBytes);
  }

  /** Releases everything that a transfer has reserved, if anything. */
  release(transfer: Transfer): void {
    this.#reservedBytes -= this.#reserved.get(transfer) ?? 0;
    this.#reserved.delete(transfer);
  }

  #free(missingBytes: number, requester?: Transfer): void {
    if (missingBytes <= 0) return;
    const slow: Transfer[] = [];
    for (const [transfer, bytes] of this.#reserved) {
      if (transfer === requester || !isSlow(transfer)) continue;
      slow.push(transfer);
      missingBytes -= bytes;
      if (missingBytes <= 0) break;
    }
    if (missingBytes > 0) throw createBusyError();
    for (const transfer of slow) {
      this.release(transfer);
      transfer.abort();
    }
  }
}

function isSlow(transfer: Transfer): boolean {
  return getAheadMs(transfer) < -GRACE_MS;
}

/** The error of a large request for which the budget has no room. */
export function createBusyError(): HttpError {
  return new HttpError(
    503,
    "too many large requests are in progress, please try again",
    { "retry-after": "1" },
  );
}
