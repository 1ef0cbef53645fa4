/**
 * Limits that large requests share. A room is a limited amount, for example of memory.
 * Parts of it are reserved for holders (the bodies, the work or the results of large
 * requests) and released later. If too little is free, a request waits in the queue of
 * the room; the oldest request leaves the queue first.
 *
 * No request waits forever, because each of these steps waits only for later steps:
 *
 * 1. A body waits for memory to be received. A part of this memory, the spare room, is
 *    used by only one body at a time, and has space for the largest, so that this body
 *    always arrives. A stalled body keeps its memory until it is aborted as too slow.
 * 2. A received body waits for its request's turn: a part of the room `Load.work`.
 * 3. Work that has its turn waits for memory for its result. Only one result is written
 *    at a time, and there is space for the largest.
 * 4. A result waits for its client, which is aborted if it reads at less than 64 KiB/s.
 */

import { HttpError } from "../http_error.ts";
import { isSlow, type Transfer } from "./deadlines.ts";
import type { LargeRequest } from "./large_request.ts";
import type { WaitLog } from "./wait_log.ts";

/** Longest time that a request waits in all queues together, in milliseconds. */
export const MAX_WAIT_MS = 10_000;

/** Largest number of requests in the queue of a room. */
export const MAX_WAITING = 1_024;

/** Time, in milliseconds, that a transfer may take longer than its bytes would take at 64 KiB/s, before it is aborted to free memory. */
const GRACE_MS = 1_000;

/** Time between two checks of the queue (`Room.checks`), in milliseconds. */
const CHECK_INTERVAL_MS = 25;

/** Fraction of the room `Load.bodies`, less its spare room. While bodies that have arrived, or soon will, take more, no further body begins to be received. */
const READY_SHARE = 1 / 8;

/** A part of a large request for which an amount of a room can be reserved: its body, its work or its result. */
export interface Holder extends Transfer {
  readonly large: LargeRequest;
  /** Amount (for memory, in bytes) that this holder will reserve later, in addition to what it has reserved. It is 0 by default, and while the client has stalled, so that others need not wait for this one. */
  readonly outstanding?: number;
  /** For a body, whether it has arrived whole or soon will; false by default. */
  readonly isReady?: boolean;
}

/** A holder in the queue of a room, with the amount that it waits for. */
interface Waiter extends PromiseWithResolvers<void> {
  readonly holder: Holder;
  readonly amount: number;
  /** Time (`performance.now()`) at which the holder began to wait. */
  readonly since: number;
}

/** Creates the 503 error for a large request that is not allowed to wait, or not any longer. */
export function createBusyError(): HttpError {
  const message = "too many large requests are in progress, please try again";
  return new HttpError(503, message, { "retry-after": "1" });
}

/** Options of a `Room`, a limit that requests share. */
interface RoomOptions {
  /** The part of the limit that only one holder at a time may use (the spare room); 0 by default. */
  readonly spare?: number;
  /** Whether the service is shutting down: waiting requests are then rejected. Always false by default. */
  readonly isStopping?: () => boolean;
  readonly waitLog: WaitLog;
}

/** A limited amount, such as bytes of memory, of which parts are reserved for holders. */
export class Room {
  readonly #limit: number;
  readonly #spare: number;
  readonly #isStopping: () => boolean;
  readonly #waitLog: WaitLog;
  /** The reserved amount of each holder, in the order of their first reservations. */
  readonly #held = new Map<Holder, number>();
  #used = 0;
  /** The holder that uses the spare room; `undefined` if none does. */
  #spareHolder: Holder | undefined;
  /** Number of checks of the queue so far, one every 25 ms while requests wait. */
  checks = 0;
  /** The queue, the oldest request first. */
  readonly #waiters: Waiter[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param limit The amount that can be reserved in all, inclusive. */
  constructor(limit: number, options: RoomOptions) {
    this.#limit = limit;
    this.#spare = options.spare ?? 0;
    this.#isStopping = options.isStopping ?? (() => false);
    this.#waitLog = options.waitLog;
  }

  /** Number of requests that wait. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Whether any amount is reserved for a holder. */
  has(holder: Holder): boolean {
    return this.#held.has(holder);
  }

  /**
   * Reserves an amount, in addition to what the holder has, if that much is free and no
   * older request waits. Returns whether the amount has been reserved.
   */
  tryReserve(holder: Holder, amount: number): boolean {
    const oldest = this.#waiters[0]?.holder.large.order ?? Infinity;
    const isFirst = holder.large.order <= oldest ||
      holder === this.#spareHolder;
    return isFirst && this.#canStart(holder) && this.#grant(holder, amount);
  }

  /**
   * Reserves an amount like `tryReserve()`. If it is not free, returns a promise that
   * resolves when it has been reserved.
   *
   * @throws {HttpError} 503 with `Retry-After` if the request has waited 10 seconds, too
   * many wait or the service is shutting down; 499 if the client disconnects.
   */
  reserve(holder: Holder, amount: number): Promise<void> | undefined {
    if (this.tryReserve(holder, amount)) return undefined;
    return this.#wait(holder, amount);
  }

  /** Releases everything that is reserved for a holder, if anything. */
  release(holder: Holder): void {
    const amount = this.#held.get(holder);
    if (amount === undefined) return;
    this.#held.delete(holder);
    this.#used -= amount;
    if (this.#spareHolder === holder) this.#spareHolder = undefined;
    this.#admit();
  }

  /**
   * Whether a holder that has reserved nothing yet may begin. The room must have space
   * for all that this and the other holders still need, so that few have to wait halfway.
   * And bodies that have arrived must take no more than `READY_SHARE`: further ones would
   * only take memory while they wait for their turn.
   */
  #canStart(holder: Holder): boolean {
    const { outstanding = 0 } = holder;
    if (outstanding === 0 || this.#held.has(holder)) return true;
    let [needed, ready] = [outstanding, 0];
    for (const [{ outstanding = 0, isReady }, amount] of this.#held) {
      needed += amount + outstanding;
      if (isReady) ready += amount + outstanding;
    }
    const shared = this.#limit - this.#spare;
    return needed <= shared && ready <= READY_SHARE * shared;
  }

  #grant(holder: Holder, amount: number): boolean {
    const used = this.#used + amount;
    if (used > this.#limit - this.#spare) {
      const canUseSpare = used <= this.#limit &&
        (this.#spareHolder ?? holder) === holder;
      if (!canUseSpare) return false;
      this.#spareHolder = holder;
    }
    this.#add(holder, amount);
    return true;
  }

  /** Grants an amount above the limit if nothing is reserved for other holders: no release could end the wait. */
  #grantAlone(holder: Holder, amount: number): boolean {
    const isAlone = this.#used === (this.#held.get(holder) ?? 0);
    if (isAlone) this.#add(holder, amount);
    return isAlone;
  }

  #add(holder: Holder, amount: number): void {
    this.#used += amount;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + amount);
  }

  async #wait(holder: Holder, amount: number): Promise<void> {
    if (this.#waiters.length >= MAX_WAITING || this.#isStopping()) {
      throw this.#refuse();
    }
    const since = performance.now();
    const resolvers = Promise.withResolvers<void>();
    const waiter = { ...resolvers, holder, amount, since };
    const { large } = holder;
    const isOlder = (other: Waiter) => other.holder.large.order <= large.order;
    this.#waiters.splice(this.#waiters.findLastIndex(isOlder) + 1, 0, waiter);
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    this.#admit();
    try {
      await waiter.promise;
    } finally {
      const before = large.waitedMs;
      large.waitedMs += performance.now() - since;
      this.#waitLog.noteWait(before, large.waitedMs);
    }
  }

  #refuse(): HttpError {
    this.#waitLog.noteRefusal();
    return createBusyError();
  }

  /** Grants waiting requests the amounts that they wait for, the oldest first. Stops at the first request whose amount is not free. */
  #admit(): void {
    for (let first; (first = this.#waiters[0]) !== undefined;) {
      const { holder, amount, resolve, reject } = first;
      const { large } = holder;
      if (large.signal.aborted) reject(large.createDisconnectError());
      else if (
        this.#canStart(holder) && this.#grant(holder, amount) ||
        this.#grantAlone(holder, amount)
      ) resolve();
      else break;
      this.#waiters.shift();
    }
    if (this.#waiters.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Rejects requests that must not wait any longer, and aborts slow transfers; every 25 ms while requests wait. */
  #check(): void {
    this.checks += 1;
    const now = performance.now();
    const isStopping = this.#isStopping();
    for (const waiter of [...this.#waiters]) {
      const { holder: { large }, since, reject } = waiter;
      const isLate = now - since + large.waitedMs > MAX_WAIT_MS;
      if (large.signal.aborted) reject(large.createDisconnectError());
      else if (isStopping || isLate) reject(this.#refuse());
      else continue;
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
    }
    this.#abortSlow();
    this.#admit();
  }

  /** Aborts slow transfers, the oldest first, until no request waits. */
  #abortSlow(): void {
    for (const holder of [...this.#held.keys()]) {
      if (this.#waiters.length === 0) return;
      if (!isSlow(holder, GRACE_MS)) continue;
      holder.abort(createBusyError());
      this.release(holder);
    }
  }
}
