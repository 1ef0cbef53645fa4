/**
 * Amounts that large requests share: bytes of memory, or turns to work. A request that
 * finds no room waits, the oldest first.
 *
 * Waiting always ends, because each room waits only for what comes behind it:
 *
 * 1. A body waits for room to be received. One body at a time may use the spare room,
 *    which has space for the largest body, so that it never waits again. A body whose
 *    client stands still keeps only the room that it has, until it is slow.
 * 2. A received body waits for a turn, and nothing else.
 * 3. Work that has a turn waits for room for its result, and only one piece of work
 *    writes a result at a time: a room has space for the largest result.
 * 4. A result waits for its client, which reads at 64 KiB/s or more, or is aborted.
 */

import { HttpError } from "../http_error.ts";
import { isSlow, type Transfer } from "./deadlines.ts";
import type { LargeRequest } from "./large_request.ts";
import type { WaitLog } from "./wait_log.ts";

/** Longest time that a request waits in all, in milliseconds. */
export const MAX_WAIT_MS = 10_000;

/** Most requests that wait for the same room. */
export const MAX_WAITING = 1_024;

/** Grace period before the rate of a transfer is checked, in milliseconds. */
const GRACE_MS = 1_000;

/** Time between two checks of the requests that wait, in milliseconds. */
const CHECK_INTERVAL_MS = 25;

/** Part of a room above which holders that are ready fill it enough. */
const READY_SHARE = 1 / 8;

/** A part of a large request that holds room. */
export interface Holder extends Transfer {
  readonly large: LargeRequest;
  /**
   * The amount that it may need beside what it has, if its client does not stand still; 0
   * by default.
   */
  readonly outstanding?: number;
  /** Whether it has come whole or soon will; false by default. */
  readonly isReady?: boolean;
}

/** A holder that waits for more room. */
interface Waiter extends PromiseWithResolvers<void> {
  readonly holder: Holder;
  readonly amount: number;
  /** Time of `performance.now()` at which it began to wait. */
  readonly since: number;
}

/** Creates the error for a large request that finds no room. */
export function createBusyError(): HttpError {
  const message = "too many large requests are in progress, please try again";
  return new HttpError(503, message, { "retry-after": "1" });
}

/** Options of a room. */
interface RoomOptions {
  /** The part of the limit that one holder at a time may use; 0 by default. */
  readonly spare?: number;
  /** Whether the service is shutting down; requests that wait are then rejected. They are not by default. */
  readonly isStopping?: () => boolean;
  readonly waitLog: WaitLog;
}

/** A limited amount that holders share. */
export class Room {
  readonly #limit: number;
  readonly #spare: number;
  readonly #isStopping: () => boolean;
  readonly #waitLog: WaitLog;
  /** The amount of each holder, in the order in which they first held some. */
  readonly #held = new Map<Holder, number>();
  #used = 0;
  /** The holder that may use the spare room. */
  #spareHolder: Holder | undefined;
  /** Number of checks so far, one every 25 ms while requests wait. */
  checks = 0;
  /** Oldest request first. */
  readonly #waiters: Waiter[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param limit The amount that can be held, inclusive. */
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

  /** Whether a holder has some of it. */
  has(holder: Holder): boolean {
    return this.#held.has(holder);
  }

  /** Reserves an amount beside what the holder has. Returns whether there was room at once. */
  tryReserve(holder: Holder, amount: number): boolean {
    const oldest = this.#waiters[0]?.holder.large.order ?? Infinity;
    const isFirst = holder.large.order <= oldest ||
      holder === this.#spareHolder;
    return isFirst && this.#canStart(holder) && this.#grant(holder, amount);
  }

  /**
   * Like `tryReserve()`, but waits until there is room.
   *
   * @throws {HttpError} 503 with `Retry-After` if the request has waited 10 seconds, too
   * many wait or the service is shutting down; 499 if the client disconnects.
   */
  reserve(holder: Holder, amount: number): Promise<void> | undefined {
    if (this.tryReserve(holder, amount)) return undefined;
    return this.#wait(holder, amount);
  }

  /** Releases everything that a holder has, if anything. */
  release(holder: Holder): void {
    const amount = this.#held.get(holder);
    if (amount === undefined) return;
    this.#held.delete(holder);
    this.#used -= amount;
    if (this.#spareHolder === holder) this.#spareHolder = undefined;
    this.#admit();
  }

  /**
   * Whether a holder that has nothing yet should begin: there is room for all that it and
   * the others may need, so that few have to wait halfway; and few are ready, which would
   * only wait in memory for their turn.
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

  /** Grants an amount above the limit to a holder that has all the room, or it would wait for itself. */
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

  /** Gives room to requests that wait, in their order. */
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

  /** Rejects requests that must not wait any longer, and aborts slow transfers. */
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

  /** Aborts slow transfers, oldest first, until the first request that waits has room. */
  #abortSlow(): void {
    for (const holder of [...this.#held.keys()]) {
      if (this.#waiters.length === 0) return;
      if (!isSlow(holder, GRACE_MS)) continue;
      holder.abort(createBusyError());
      this.release(holder);
    }
  }
}
