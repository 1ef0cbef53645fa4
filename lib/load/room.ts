/**
 * Limits the memory that large requests hold. A transfer reserves its bytes before it holds
 * them; if there is no room, it waits in a queue, first in, first out.
 *
 * While a transfer waits, transfers whose clients are slower than 64 KiB/s are aborted. A
 * transfer that is larger than the room gets in when the room is empty. So every transfer gets
 * in, or is rejected after 10 seconds.
 */

import { BusyError, DisconnectError } from "./errors.ts";
import type { Transfer } from "./transfer.ts";

/** Longest time that a transfer waits, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Largest number of transfers that wait, inclusive. */
const MAX_WAITING = 1_024;

/** Time that a transfer may take in addition to its time at 64 KiB/s, in milliseconds. */
const GRACE_MS = 1_000;

/** Time between two checks while a transfer waits, in milliseconds. */
const CHECK_MS = 25;

/** A transfer that waits for bytes. */
interface Waiter extends PromiseWithResolvers<void> {
  readonly transfer: Transfer;
  readonly bytes: number;
  /** `performance.now()` at which the transfer is rejected. */
  readonly end: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The bytes that the transfers of a thread may hold together. */
export class Room {
  readonly #size: number;
  readonly #isClosed: () => boolean;
  #used = 0;
  /** The transfers with reserved bytes, the oldest first. */
  readonly #transfers = new Set<Transfer>();
  #queue: Waiter[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param size Bytes that may be reserved together, inclusive.
   * @param isClosed Whether no transfer may wait any more.
   */
  constructor(size: number, isClosed: () => boolean = () => false) {
    this.#size = size;
    this.#isClosed = isClosed;
  }

  /** Reserves bytes if there is room and no transfer waits. Returns whether it has done so. */
  tryReserve(transfer: Transfer, bytes: number): boolean {
    if (this.#queue.length > 0 || !this.#hasRoom(bytes)) return false;
    this.resize(transfer, bytes);
    return true;
  }

  /**
   * Waits until bytes are reserved for a transfer.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {BusyError} if that takes more than 10 seconds, or 1,024 others wait.
   * @throws {DisconnectError} if the client disconnects.
   */
  async reserve(
    transfer: Transfer,
    bytes: number,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.tryReserve(transfer, bytes)) return;
    if (this.#queue.length >= MAX_WAITING) throw new BusyError();
    const resolvers = Promise.withResolvers<void>();
    const end = performance.now() + MAX_WAIT_MS;
    this.#queue.push({ ...resolvers, transfer, bytes, end, signal });
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS);
    await resolvers.promise;
  }

  /** Rejects a transfer with a `BusyError`, if it waits. */
  reject(transfer: Transfer): void {
    const waiter = this.#queue.find((each) => each.transfer === transfer);
    if (waiter === undefined) return;
    this.#queue = this.#queue.filter((each) => each !== waiter);
    waiter.reject(new BusyError());
    this.#admit();
  }

  /**
   * Changes the number of bytes that a transfer has reserved, even if there is no room for
   * more.
   */
  resize(transfer: Transfer, bytes: number): void {
    const isLess = bytes < transfer.reserved;
    this.#used += bytes - transfer.reserved;
    transfer.reserved = bytes;
    if (bytes === 0) this.#transfers.delete(transfer);
    else this.#transfers.add(transfer);
    if (isLess) this.#admit();
  }

  /** Gives back what a transfer has reserved. */
  release(transfer: Transfer): void {
    if (transfer.reserved > 0) this.resize(transfer, 0);
  }

  #hasRoom(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#size;
  }

  /** Lets waiting transfers in while there is room for the first. */
  #admit(): void {
    let first = this.#queue[0];
    while (first !== undefined && this.#hasRoom(first.bytes)) {
      this.#queue.shift();
      this.resize(first.transfer, first.bytes);
      first.resolve();
      first = this.#queue[0];
    }
    if (this.#queue.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends waits that are too long, and then transfers that are too slow. */
  #check(): void {
    this.#rejectLate();
    this.#admit();
    for (const transfer of this.#transfers) {
      if (this.#queue.length === 0) return;
      if (transfer.delayMs <= GRACE_MS) continue;
      transfer.abort(new BusyError());
      this.release(transfer);
    }
  }

  /** Rejects the transfers that must not wait any longer. */
  #rejectLate(): void {
    const left: Waiter[] = [];
    for (const waiter of this.#queue) {
      const reason = this.#findReason(waiter);
      if (reason === undefined) left.push(waiter);
      else waiter.reject(reason);
    }
    this.#queue = left;
  }

  /** Returns the reason why a transfer must not wait any longer; `undefined` if it may. */
  #findReason({ signal, end }: Waiter): Error | undefined {
    if (signal.aborted) return new DisconnectError();
    if (this.#isClosed() || performance.now() > end) return new BusyError();
    return undefined;
  }
}
