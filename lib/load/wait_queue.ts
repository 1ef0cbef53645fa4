/** Large requests that wait for their part of a limit, the oldest request first. */

import { HttpError } from "../http_error.ts";
import type { LargeRequest } from "./large_request.ts";
import type { WaitLog } from "./wait_log.ts";

/** Longest time that a request waits in all queues together, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/**
 * Number of requests in a queue from which on no others may wait, except those for which a
 * part of the limit is reserved already.
 */
export const MAX_WAITING = 1_024;

/** Time between two checks of the waiting requests, in milliseconds. */
const CHECK_INTERVAL_MS = 25;

/** A request in the queue. */
interface Waiter extends PromiseWithResolvers<void> {
  readonly large: LargeRequest;
  /** Reserves what the request waits for, if that is possible. Returns whether it was. */
  readonly tryReserve: () => boolean;
  /** Time (`performance.now()`) at which the request began to wait. */
  readonly since: number;
}

/** Options of a `WaitQueue`. */
interface WaitQueueOptions {
  /** Whether the service is shutting down, so that waiting requests are rejected. */
  readonly isStopping: () => boolean;
  readonly waitLog: WaitLog;
  /** Called every 25 ms while requests wait. */
  readonly onCheck: () => void;
}

/** Options of a request that begins to wait. */
interface WaitOptions extends Pick<Waiter, "tryReserve"> {
  /** Whether a part of the limit is reserved for the request already. */
  readonly hasPart: boolean;
  /** Whether the request comes before all others, also before older ones. */
  readonly isFirst: boolean;
}

/** Creates the 503 error for a large request that may not wait, or has waited too long. */
export function createBusyError(): HttpError {
  const message = "too many large requests are in progress, please try again";
  return new HttpError(503, message, { "retry-after": "1" });
}

/** A queue of large requests. */
export class WaitQueue {
  /** Number of checks of the waiting requests so far, one every 25 ms while requests wait. */
  checks = 0;
  readonly #isStopping: () => boolean;
  readonly #waitLog: WaitLog;
  readonly #onCheck: () => void;
  readonly #waiters: Waiter[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ isStopping, waitLog, onCheck }: WaitQueueOptions) {
    this.#isStopping = isStopping;
    this.#waitLog = waitLog;
    this.#onCheck = onCheck;
  }

  /** Number of requests that wait. */
  get length(): number {
    return this.#waiters.length;
  }

  /** `LargeRequest.order` of the first request in the queue; `Infinity` if none waits. */
  get firstOrder(): number {
    return this.#waiters[0]?.large.order ?? Infinity;
  }

  /**
   * Waits until `tryReserve()` returns true. It is called when the request is the first in
   * the queue.
   *
   * @throws {HttpError} 503 with `Retry-After` if the request has waited 10 seconds, too
   * many wait or the service is shutting down; 499 if the client disconnects.
   */
  async wait(
    large: LargeRequest,
    { tryReserve, hasPart, isFirst }: WaitOptions,
  ): Promise<void> {
    if (this.#waiters.length >= MAX_WAITING && !hasPart) throw this.#refuse();
    const since = performance.now();
    const waiter = {
      ...Promise.withResolvers<void>(),
      large,
      tryReserve,
      since,
    };
    const isOlder = (other: Waiter) => other.large.order <= large.order;
    const place = isFirst ? 0 : this.#waiters.findLastIndex(isOlder) + 1;
    this.#waiters.splice(place, 0, waiter);
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    this.admit();
    try {
      await waiter.promise;
    } finally {
      const before = large.waitedMs;
      large.waitedMs += performance.now() - since;
      this.#waitLog.noteWait(before, large.waitedMs);
    }
  }

  /**
   * Ends the waits of requests for which their parts can be reserved, from the first on.
   * Stops at a request for which that is not possible. Must be called when a part has been
   * released.
   */
  admit(): void {
    for (let first; (first = this.#waiters[0]) !== undefined;) {
      const { large, tryReserve, resolve, reject } = first;
      if (large.signal.aborted) reject(large.createDisconnectError());
      else if (tryReserve()) resolve();
      else break;
      this.#waiters.shift();
    }
    if (this.#waiters.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Rejects the requests that must not wait any longer. */
  #check(): void {
    this.checks += 1;
    const now = performance.now();
    const isStopping = this.#isStopping();
    for (const waiter of [...this.#waiters]) {
      const { large, since, reject } = waiter;
      const isLate = now - since + large.waitedMs > MAX_WAIT_MS;
      if (large.signal.aborted) reject(large.createDisconnectError());
      else if (isStopping || isLate) reject(this.#refuse());
      else continue;
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
    }
    this.#onCheck();
    this.admit();
  }

  #refuse(): HttpError {
    this.#waitLog.noteRefusal();
    return createBusyError();
  }
}
