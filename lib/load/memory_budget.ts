/**
 * Limits the memory that large bodies and answers take. A transfer, which is a body that
 * comes or an answer that goes, reserves bytes of a `MemoryBudget`. If too few bytes are
 * free, it waits in a queue, first in, first out.
 *
 * While a transfer waits, slow transfers that have reserved bytes are aborted, the oldest
 * first, until none waits. A transfer is slow if it has taken over a second longer than
 * its bytes so far would take at 64 KiB/s. A transfer that is larger than the budget gets
 * its bytes when no other has any. A transfer that has waited for 10 seconds is rejected,
 * and all that wait are rejected when the budget is closed.
 */

import { LoadError } from "../operation/context.ts";
import { checkInteger } from "../values/check.ts";
import type { Transfer } from "./transfer.ts";

/** Time after which a transfer that waits is rejected, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Largest number of transfers that wait for one budget, inclusive. */
const MAX_WAITING = 1_024;

/**
 * Largest delay of a body or answer (its `delayMs`, by which it is slower than 64 KiB/s)
 * with which it is not aborted while another one waits for memory, in milliseconds,
 * inclusive.
 */
const MAX_DELAY_MS = 1_000;

/**
 * While a transfer waits, the time between two checks, in milliseconds. A check looks for
 * transfers that may wait no longer, and for transfers that are too slow.
 */
const QUEUE_CHECK_MS = 25;

/** A transfer that waits until memory is reserved for it. */
interface Waiter extends PromiseWithResolvers<void> {
  readonly transfer: Transfer;
  /** Memory to reserve, in bytes. */
  readonly bytes: number;
  /** `performance.now()` at which the transfer is rejected. */
  readonly end: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The memory that the large bodies or the large answers of a thread may take together. */
export class MemoryBudget {
  readonly #size: number;
  readonly #isClosed: () => boolean;
  /** The bytes that each transfer has reserved; the oldest transfer is the first. */
  readonly #reserved = new Map<Transfer, number>();
  /** The sum of `#reserved`. */
  #used = 0;
  #queue: Waiter[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param size Largest number of bytes that are reserved, inclusive. Only a transfer that
   * is alone, and `resize()`, may exceed it.
   * @param isClosed Whether no transfer may wait any more, since the service stops.
   */
  constructor(size: number, isClosed: () => boolean) {
    this.#size = size;
    this.#isClosed = isClosed;
  }

  /**
   * Reserves bytes, unless another transfer waits or too few are free; while none are
   * reserved, any number is free. Returns whether it has reserved them.
   *
   * @throws {RangeError} if `bytes` is not a safe integer, or negative.
   */
  tryReserve(transfer: Transfer, bytes: number): boolean {
    checkCount(bytes);
    if (this.#queue.length > 0 || !this.#hasFree(bytes)) return false;
    this.resize(transfer, bytes);
    return true;
  }

  /**
   * Waits until bytes are reserved for a transfer. If it has reserved bytes already, changes
   * their number without a wait, so that it never waits for itself.
   *
   * @param request Its signal aborts when the client disconnects. The signal costs time and
   * memory, so it is only read if the transfer has to wait.
   * @throws {LoadError} after 10 seconds, if 1,024 transfers wait already, if the transfer
   * would wait while the budget is closed, or if the client disconnects during the wait.
   * @throws {RangeError} if `bytes` is not a safe integer, or negative.
   */
  async reserve(
    transfer: Transfer,
    bytes: number,
    request: { readonly signal: AbortSignal },
  ): Promise<void> {
    if (this.#reserved.has(transfer)) return this.resize(transfer, bytes);
    if (this.tryReserve(transfer, bytes)) return;
    if (this.#queue.length >= MAX_WAITING) throw new LoadError("busy");
    const resolvers = Promise.withResolvers<void>();
    const end = performance.now() + MAX_WAIT_MS;
    const { signal } = request;
    this.#queue.push({ ...resolvers, transfer, bytes, end, signal });
    this.#timer ??= setInterval(() => this.#check(), QUEUE_CHECK_MS);
    await resolvers.promise;
  }

  /**
   * Changes the number of bytes that a transfer has reserved, without a wait, even beyond
   * the budget.
   *
   * @throws {RangeError} if `bytes` is not a safe integer, or negative.
   */
  resize(transfer: Transfer, bytes: number): void {
    checkCount(bytes);
    const before = this.#reserved.get(transfer) ?? 0;
    this.#used += bytes - before;
    if (bytes === 0) this.#reserved.delete(transfer);
    else this.#reserved.set(transfer, bytes);
    if (bytes < before) this.#serveQueue();
  }

  /** Gives back what a transfer has reserved, if anything. */
  release(transfer: Transfer): void {
    this.resize(transfer, 0);
  }

  #hasFree(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#size;
  }

  /**
   * Reserves the bytes of the transfers that wait, in order, until too few bytes are free for
   * the next one. Stops the timer if no transfer waits any more.
   */
  #serveQueue(): void {
    let first = this.#queue[0];
    while (first !== undefined && this.#hasFree(first.bytes)) {
      this.#queue.shift();
      this.resize(first.transfer, first.bytes);
      first.resolve();
      first = this.#queue[0];
    }
    if (this.#queue.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Rejects transfers that may wait no longer. Then aborts transfers that are too slow, the
   * oldest first, until no transfer waits.
   */
  #check(): void {
    const waiting = this.#queue;
    this.#queue = [];
    for (const waiter of waiting) {
      if (waiter.signal.aborted) waiter.reject(new LoadError("disconnected"));
      else if (this.#isClosed()) waiter.reject(new LoadError("stopping"));
      else if (performance.now() > waiter.end) {
        waiter.reject(new LoadError("busy"));
      } else this.#queue.push(waiter);
    }
    this.#serveQueue();
    for (const transfer of this.#reserved.keys()) {
      if (this.#queue.length === 0) return;
      if (transfer.delayMs <= MAX_DELAY_MS) continue;
      transfer.abort(new LoadError("busy"));
    }
  }
}

/** Checks a number of bytes: after the addition of a `NaN`, no bytes would ever be free. */
function checkCount(bytes: number): void {
  checkInteger("bytes", bytes, { min: 0 });
}
