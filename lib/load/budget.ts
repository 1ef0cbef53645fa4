/**
 * Limits the memory that large requests hold. A body is counted from before its first byte
 * is read until its request is answered, a result from its creation until it is sent. If
 * there is no room, a transfer waits in a queue, first in, first out.
 *
 * No request waits forever. A body waits only for other bodies and for results, a result
 * only for results, and those for their clients. While a request waits, transfers of less
 * than 64 KiB/s are aborted, and one member of each queue may exceed its share.
 */

import { HttpError } from "../http/http_error.ts";

/** Lowest average rate of a client whose transfer is never aborted, in bytes per second. */
export const MIN_RATE = 64 * 1024;

/** Time that a transfer may take in addition to its time at `MIN_RATE`, in milliseconds. */
const GRACE_MS = 1_000;

/** Longest time that a request waits, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Largest number of requests in a queue, inclusive. */
const MAX_WAITING = 1_024;

/** Time between two checks of all transfers while a request waits, in milliseconds. */
const CHECK_MS = 25;

/** Number of checks without a new byte after which a client counts as stalled. */
const STALLED_CHECKS = 2;

/** A body that comes from a client, or a result that goes to one. */
export class Transfer {
  /** `performance.now()` when it began; `Infinity` while the client waits for the service. */
  start = Infinity;
  /** Bytes that have been received or sent. */
  moved = 0;
  /** Size of its buffer in bytes, which may be less than `reserved`. */
  held = 0;
  reserved = 0;
  share: Share | undefined;
  /** Number of checks since the last byte was received. */
  idleChecks = 0;
  /** Ends the transfer if it is too slow or late. */
  abort: (error: HttpError) => void = () => {};

  /** Whether it has taken more than `graceMs` milliseconds longer than at `MIN_RATE`. */
  isSlow(graceMs: number): boolean {
    const allowedMs = 1_000 * this.moved / MIN_RATE + graceMs;
    return performance.now() > this.start + allowedMs;
  }
}

/** A transfer that waits for bytes. */
interface Waiter extends PromiseWithResolvers<void> {
  readonly transfer: Transfer;
  readonly bytes: number;
  /** `performance.now()` when it began to wait. */
  readonly since: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A part of the budget, and the queue of those that wait for it. */
class Share {
  used = 0;
  /** The transfer that was let in although the limit was reached, until it ends. */
  extra: Transfer | undefined;
  /** The transfers with reserved bytes, the oldest first. */
  readonly transfers = new Set<Transfer>();
  readonly queue: Waiter[] = [];

  /** @param limit Bytes that may be reserved, inclusive. */
  constructor(readonly limit: number) {}
}

/** Creates the 503 for a large request that finds no room in time. */
export function createBusyError(): HttpError {
  const message = "too many large requests are in progress, please try again";
  return new HttpError(503, message, { "retry-after": "1" });
}

/** Creates the error for a request whose client has disconnected; nobody receives it. */
export function createDisconnectError(): HttpError {
  return new HttpError(499, "the client has disconnected");
}

/** The memory that all large requests of a thread share, in bytes. */
export class Budget {
  /** For bodies that are received in chunks, a few at a time. */
  readonly bodies: Share;
  /** For results that are sent in parts, and can be aborted. */
  readonly results: Share;
  /** For bodies and results that are moved in one piece, and cannot be aborted. */
  readonly wholes: Share;
  /** For bodies that cannot wait, and for what stalled clients have sent. */
  readonly others: Share = new Share(Infinity);
  #used = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param limit Bytes that may be reserved in all shares together, inclusive. */
  constructor(readonly limit: number, readonly isStopping: () => boolean) {
    this.bodies = new Share(limit / 8);
    this.results = new Share(0.8 * limit);
    this.wholes = new Share(limit / 16);
  }

  /**
   * Reserves bytes for a transfer if there is room. It overtakes no waiting transfer: while
   * one waits, its share or the whole budget is over the limit.
   */
  tryReserve(share: Share, transfer: Transfer, bytes: number): boolean {
    if (!this.#hasRoom(share, bytes)) return false;
    this.#add(share, transfer, bytes);
    return true;
  }

  /**
   * Waits until bytes are reserved for a transfer, besides those that it has.
   *
   * @throws {HttpError} 503 if that takes too long, or too many wait; 499 if the client
   * disconnects.
   */
  async reserve(
    share: Share,
    transfer: Transfer,
    { bytes, signal }: { bytes: number; signal: AbortSignal },
  ): Promise<void> {
    if (this.tryReserve(share, transfer, bytes)) return;
    const { queue } = share;
    if (queue.length >= MAX_WAITING) throw createBusyError();
    const since = performance.now();
    const elapsed = since - transfer.start;
    transfer.start = Infinity;
    const resolvers = Promise.withResolvers<void>();
    const waiter = { ...resolvers, transfer, bytes, since, signal };
    // A transfer that has begun comes before those that have not: it holds memory.
    const place = transfer.reserved === 0
      ? -1
      : queue.findIndex(({ transfer }) => transfer.reserved === 0);
    queue.splice(place === -1 ? queue.length : place, 0, waiter);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS);
    this.#admit();
    await waiter.promise;
    if (elapsed > 0) transfer.start = performance.now() - elapsed;
  }

  /** Gives back what is reserved for a transfer, except `kept` bytes. */
  release(transfer: Transfer, kept = 0): void {
    const { share } = transfer;
    if (share === undefined) return;
    const freed = transfer.reserved - kept;
    share.used -= freed;
    this.#used -= freed;
    transfer.reserved = kept;
    if (kept === 0) {
      share.transfers.delete(transfer);
      transfer.share = undefined;
      for (const other of [this.bodies, this.results]) {
        if (other.extra === transfer) other.extra = undefined;
      }
    }
    this.#admit();
  }

  #hasRoom(share: Share, bytes: number): boolean {
    return share.used + bytes <= share.limit &&
      this.#used + bytes <= this.limit;
  }

  /** Reserves bytes for a transfer, and counts those that it has in the same share. */
  #add(share: Share, transfer: Transfer, bytes: number): void {
    const { share: before, reserved } = transfer;
    if (before !== undefined) {
      before.used -= reserved;
      before.transfers.delete(transfer);
    }
    this.#used += bytes;
    share.used += reserved + bytes;
    share.transfers.add(transfer);
    transfer.reserved = reserved + bytes;
    transfer.share = share;
  }

  /** Reserves bytes for waiting transfers: while there is room, and for one `extra` more. */
  #admit(): void {
    for (const share of [this.results, this.bodies]) {
      if (this.#hasRoom(share, 0)) share.extra = undefined;
      for (let first; (first = share.queue[0]) !== undefined;) {
        const { transfer, bytes, resolve } = first;
        if (!this.#hasRoom(share, bytes)) {
          if (share.extra !== undefined) break;
          share.extra = transfer;
        }
        share.queue.shift();
        this.#add(share, transfer, bytes);
        resolve();
      }
    }
    if (this.#isWaitedFor) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  get #isWaitedFor(): boolean {
    return this.bodies.queue.length + this.results.queue.length > 0;
  }

  /** Ends waits that are too long and transfers that are too slow. */
  #check(): void {
    this.#rejectLate();
    for (const share of [this.results, this.others, this.bodies]) {
      for (const transfer of share.transfers) {
        if (!this.#isWaitedFor) return;
        if (transfer.isSlow(GRACE_MS)) {
          transfer.abort(createBusyError());
          this.release(transfer);
        } else if (share === this.bodies && transfer.start < Infinity) {
          transfer.idleChecks += 1;
          if (transfer.idleChecks < STALLED_CHECKS) continue;
          // From now on the body counts only with the memory that it takes.
          this.#add(this.others, transfer, transfer.held - transfer.reserved);
          this.#admit();
        }
      }
    }
  }

  #rejectLate(): void {
    const latestStart = performance.now() - MAX_WAIT_MS;
    for (const share of [this.results, this.bodies]) {
      const isClosed = share === this.bodies && this.isStopping();
      for (const waiter of [...share.queue]) {
        const { signal, since, reject } = waiter;
        if (signal.aborted) reject(createDisconnectError());
        else if (isClosed || since < latestStart) reject(createBusyError());
        else continue;
        share.queue.splice(share.queue.indexOf(waiter), 1);
      }
    }
    this.#admit();
  }
}
