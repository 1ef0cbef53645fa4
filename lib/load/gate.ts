import {
  createBusyError,
  createShutdownError,
  HttpError,
} from "../http/response.ts";

/** Time after which a request that waits is rejected, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** A request that waits for a slot. */
interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: HttpError) => void;
}

/**
 * A semaphore for requests. It has a fixed number of slots, and lets requests wait for one,
 * first in, first out.
 */
export class Gate {
  #freeSlots: number;
  readonly #waiting = new Set<Waiter>();
  #isClosed = false;

  constructor(slots: number) {
    this.#freeSlots = slots;
  }

  get isFull(): boolean {
    return this.#freeSlots === 0;
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Takes a slot, which is free again when the caller disposes of it. Waits while the gate is
   * full.
   *
   * @throws {HttpError} 503 if the request has waited for 10 seconds, or would have to wait
   * after `close()`; 499 if the client disconnects.
   */
  async enter(request: Request): Promise<DisposableStack> {
    if (this.isFull) await this.#wait(request);
    else this.#freeSlots -= 1;
    const slot = new DisposableStack();
    slot.defer(() => this.#leave());
    return slot;
  }

  async #wait({ signal }: Request): Promise<void> {
    if (this.#isClosed) throw createShutdownError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = {
      resolve,
      reject: (error) => {
        // At once, so that no slot is passed to a request that has given up.
        this.#waiting.delete(waiter);
        reject(error);
      },
    };
    this.#waiting.add(waiter);
    const timer = setTimeout(
      () => waiter.reject(createBusyError()),
      MAX_WAIT_MS,
    );
    const onAbort = () =>
      waiter.reject(new HttpError(499, "the client has disconnected"));
    signal.addEventListener("abort", onAbort);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Rejects the requests that wait, because the service shuts down. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiting) waiter.reject(createShutdownError());
  }

  /** Passes the slot to the request that has waited longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#freeSlots += 1;
      return;
    }
    this.#waiting.delete(next);
    next.resolve();
  }
}
