/**
 * Limits that large requests share, for example of memory. Parts of a limit (a `Room`) are
 * reserved for the body, the work or the result of a request (each a `Holder`), and
 * released later. If too little is free, the request waits; the oldest request comes first.
 *
 * No request waits forever, since each of these steps waits only for later steps:
 *
 * 1. A body waits for memory. A part of the memory is for one body at a time and has space
 *    for the largest body, so that one body can always begin and be received to its end.
 *    Bodies over HTTP/2 may use that part as well. They never wait, so they soon free it:
 *    they arrive, are dropped, or are aborted as too slow.
 * 2. A received body waits until it is worked on (`Load.work`).
 * 3. The work waits for memory for its result. Only one result at a time is written or
 *    waits for memory, and there is space for the largest.
 * 4. A result waits until its client has read it.
 *
 * While no body waits for memory, results take memory of the bodies, except the part for
 * one body.
 *
 * While requests wait, clients that send or read at less than 64 KiB/s are aborted.
 */

import { isSlow, type Transfer } from "./deadlines.ts";
import type { LargeRequest } from "./large_request.ts";
import type { WaitLog } from "./wait_log.ts";
import { createBusyError, WaitQueue } from "./wait_queue.ts";

/**
 * Time that a transfer may take in addition to its duration at 64 KiB/s, in milliseconds.
 * If it takes longer while requests wait, it is aborted.
 */
const GRACE_MS = 1_000;

/**
 * If bodies that have arrived, or will soon, take more than this share of the memory for
 * bodies, no further body begins to be received. The memory that only one body at a time
 * may use is not included.
 */
const READY_SHARE = 1 / 8;

/**
 * The body, the work or the result of a large request, for which a part of a limit (`Room`)
 * can be reserved.
 */
export interface Holder extends Transfer {
  readonly large: LargeRequest;
  /**
   * Amount that this holder will still reserve, in addition to what it has reserved; 0 by
   * default. A body whose client has stalled has 0, too, so that other requests need not
   * wait for it.
   */
  readonly outstanding?: number;
  /** Whether this is a body that has arrived whole or will arrive soon; false by default. */
  readonly isReady?: boolean;
  /** Whether this holder may wait; true by default. */
  readonly canWait?: boolean;
}

/** Options of a `Room`, a limit that requests share. */
interface RoomOptions {
  /**
   * The spare part of the limit, 0 by default. Only one holder that can wait may use it at
   * a time; holders that cannot wait always may.
   */
  readonly spare?: number;
  /**
   * Whether the service is shutting down, so that waiting requests are rejected; false by
   * default.
   */
  readonly isStopping?: () => boolean;
  readonly waitLog: WaitLog;
  /**
   * Another limit, of which the free part is used first, except its spare part. While
   * requests wait for that limit, nothing of it is used.
   */
  readonly lender?: Room;
}

/**
 * A limit that large requests share, for example of bytes of memory. Parts of it are
 * reserved for holders.
 */
export class Room {
  readonly #limit: number;
  readonly #spare: number;
  readonly #lender: Room | undefined;
  /** The reserved amount of each holder, in the order of their first reservations. */
  readonly #held = new Map<Holder, number>();
  #used = 0;
  /** The holder that uses the spare part of the limit and can wait; `undefined` if none does. */
  #spareHolder: Holder | undefined;
  readonly #queue: WaitQueue;

  /** @param limit The amount that can be reserved in all, inclusive. */
  constructor(limit: number, options: RoomOptions) {
    this.#limit = limit;
    this.#spare = options.spare ?? 0;
    this.#lender = options.lender;
    this.#queue = new WaitQueue({
      isStopping: options.isStopping ?? (() => false),
      waitLog: options.waitLog,
      onCheck: () => this.#abortSlow(),
    });
  }

  /** Number of requests that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Number of checks of the waiting requests so far, one every 25 ms while requests wait. */
  get checks(): number {
    return this.#queue.checks;
  }

  /** Whether an amount is reserved for a holder. */
  has(holder: Holder): boolean {
    return this.#held.has(holder);
  }

  /**
   * Reserves an amount, in addition to what the holder has, if that much is free and no
   * older request waits. Returns whether the amount has been reserved.
   */
  tryReserve(holder: Holder, amount: number): boolean {
    if (this.#lender?.tryLend(holder, amount)) return true;
    const isFirst = holder.large.order <= this.#queue.firstOrder ||
      holder === this.#spareHolder;
    return isFirst && this.#canStart(holder) && this.#grant(holder, amount);
  }

  /**
   * Reserves an amount like `tryReserve()`. If that is not possible yet, returns a promise
   * that resolves when the amount has been reserved.
   *
   * @throws {HttpError} 503 with `Retry-After` if the request has waited 10 seconds, too
   * many wait or the service is shutting down; 499 if the client disconnects.
   */
  reserve(holder: Holder, amount: number): Promise<void> | undefined {
    if (this.tryReserve(holder, amount)) return undefined;
    return this.#queue.wait(holder.large, {
      tryReserve: () =>
        this.tryReserve(holder, amount) || this.#grantAlone(holder, amount),
      hasPart: this.has(holder),
      isFirst: holder === this.#spareHolder,
    });
  }

  /** Releases everything that is reserved for a holder. Does nothing if nothing is. */
  release(holder: Holder): void {
    this.#lender?.release(holder);
    const amount = this.#held.get(holder);
    if (amount === undefined) return;
    this.#held.delete(holder);
    this.#used -= amount;
    if (this.#spareHolder === holder) this.#spareHolder = undefined;
    this.#queue.admit();
  }

  /**
   * Reserves an amount if that much is free without the spare part, and no request waits.
   * Returns whether the amount has been reserved.
   */
  tryLend(holder: Holder, amount: number): boolean {
    const isFree = this.#queue.length === 0 &&
      this.#used + amount <= this.#limit - this.#spare;
    if (isFree) this.#add(holder, amount);
    return isFree;
  }

  /**
   * Whether a holder may reserve its first amount. The room must have space for all that
   * this and the other holders will still reserve, so that few of them have to wait
   * halfway. Also, bodies that have arrived must take at most `READY_SHARE` of the room:
   * further bodies would take memory only to wait for their work.
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
    if (ready > READY_SHARE * shared) return false;
    return needed <= shared || this.#tryTakeSpare(holder);
  }

  /**
   * Gives the spare part to a holder that has reserved nothing yet, if nobody uses that
   * part and it has space for all that the holder will reserve. Without this, no body could
   * begin while slow clients keep the rest.
   */
  #tryTakeSpare(holder: Holder): boolean {
    const isFree = this.#spareHolder === undefined &&
      this.#used <= this.#limit - this.#spare &&
      (holder.outstanding ?? 0) <= this.#spare;
    if (isFree) this.#spareHolder = holder;
    return isFree;
  }

  #grant(holder: Holder, amount: number): boolean {
    const used = this.#used + amount;
    if (used > this.#limit - this.#spare) {
      if (used > this.#limit) return false;
      if (holder.canWait ?? true) {
        if ((this.#spareHolder ?? holder) !== holder) return false;
        this.#spareHolder = holder;
      }
    }
    this.#add(holder, amount);
    return true;
  }

  /**
   * Reserves an amount even above the limit, if nothing is reserved for other holders.
   * Without this, the holder would wait forever, since no other holder can release
   * anything.
   */
  #grantAlone(holder: Holder, amount: number): boolean {
    const isAlone = this.#used === (this.#held.get(holder) ?? 0);
    if (isAlone) this.#add(holder, amount);
    return isAlone;
  }

  #add(holder: Holder, amount: number): void {
    this.#used += amount;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + amount);
  }

  /** Aborts slow transfers, the oldest first, until no request waits. */
  #abortSlow(): void {
    for (const holder of [...this.#held.keys()]) {
      if (this.#queue.length === 0) return;
      if (!isSlow(holder, GRACE_MS)) continue;
      holder.abort(createBusyError());
      this.release(holder);
    }
  }
}
