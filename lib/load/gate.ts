import {
  createBusyError,
  createShutdownError,
  HttpError,
} from "../http/response.ts";

/** How long a request can wait before it is rejected, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** A semaphore that grants slots to requests in order of arrival. */
export class Gate {
  #usedSlots = 0;
  readonly #waiting = new Set<PromiseWithResolvers<void>>();
  #isClosed = false;

  constructor(readonly slots: number) {}

  get isFull(): boolean {
    return this.#usedSlots === this.slots;
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Acquires a slot, which the caller releases by disposing of it. Waits while the gate is
   * full.
   *
   * @throws {HttpError} 503 if the request has waited for 10 seconds, or if it would have to
   * wait after `close()`; 499 if the client disconnects.
   */
  async enter({ signal }: Request): Promise<DisposableStack> {
    if (signal.aborted) throw createDisconnectError();
    if (this.isFull) await this.#wait(signal);
    else this.#usedSlots += 1;
    const slot = new DisposableStack();
    slot.defer(() => this.#leave());
    return slot;
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#isClosed) throw createShutdownError();
    const waiter = Promise.withResolvers<void>();
    this.#waiting.add(waiter);
    const reject = (error: HttpError) => this.#reject(waiter, error);
    const timer = setTimeout(() => reject(createBusyError()), MAX_WAIT_MS);
    const onAbort = () => reject(createDisconnectError());
    signal.addEventListener("abort", onAbort);
    try {
      await waiter.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #reject(waiter: PromiseWithResolvers<void>, error: HttpError): void {
    // Removes the waiter immediately, so that `#leave()` cannot pass a slot to it.
    this.#waiting.delete(waiter);
    waiter.reject(error);
  }

  /** Rejects all waiting requests, because the service is shutting down. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiting) {
      this.#reject(waiter, createShutdownError());
    }
  }

  /** Passes the slot to the request that has waited the longest, if any. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#usedSlots -= 1;
    } else {
      this.#waiting.delete(next);
      next.resolve();
    }
  }
}

function createDisconnectError(): HttpError {
  return new HttpError(499, "the client disconnected");
}
