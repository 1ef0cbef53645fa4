/** Lets one large request at a time compute, and small ones be answered between. */

import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { createDisconnectError } from "./budget.ts";

/** Time for which requests compute without a pause, in milliseconds. */
const TURN_MS = 2;

/** Shortest turn that is always followed by a pause, in milliseconds. */
const LONG_TURN_MS = 8;

/** Shortest pause: new connections need it to be accepted, in milliseconds. */
const MIN_PAUSE_MS = 1;

/** Longest pause, in milliseconds. */
const MAX_PAUSE_MS = 10;

/** Number of turns after a small request that are followed by a pause as long as the turn. */
const LONG_PAUSES = 8;

/** The turns in which the large requests of a thread compute. */
export class Scheduler {
  /** Each begins a computation. */
  readonly #waiting: (() => void)[] = [];
  /** Each continues a computation. */
  readonly #paused: (() => void)[] = [];
  #isRunning = false;
  /** `performance.now()` when the turn began. */
  #start = 0;
  #longPauses = 0;

  /** Notes that a small request has come: the next pauses are long. */
  noteSmallRequest(): void {
    this.#longPauses = LONG_PAUSES;
  }

  /**
   * Computes the answer to a large request when those before it have computed.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {HttpError} 499 if the client has disconnected; and the errors of `compute`.
   */
  async run<Result>(
    compute: () => Result | Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    await this.#wait(this.#waiting, signal);
    return await compute();
  }

  /**
   * Lets other requests be answered during a computation, which goes on before another one
   * begins. Returns `undefined` if its turn is not over yet.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {HttpError} 499 if the client has disconnected.
   */
  pause(signal: AbortSignal): Promise<void> | undefined {
    if (performance.now() < this.#start + TURN_MS) return;
    return this.#wait(this.#paused, signal);
  }

  #wait(queue: (() => void)[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      queue.push(() =>
        signal.aborted ? reject(createDisconnectError()) : resolve()
      );
      this.#takeTurns();
    });
  }

  async #takeTurns(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#paused.length + this.#waiting.length > 0) {
      this.#start = performance.now();
      const end = this.#start + TURN_MS;
      const resume = this.#paused.shift();
      // The computation goes on during the next `await`.
      if (resume !== undefined) resume();
      else {
        do {
          this.#waiting.shift()!();
          // The computation begins during this `await`.
          await undefined;
        } while (this.#waiting.length > 0 && performance.now() < end);
      }
      // Small requests are answered while the event loop goes round once.
      await setImmediate();
      const taken = performance.now() - this.#start;
      if (taken >= TURN_MS && this.#longPauses > 0) {
        this.#longPauses -= 1;
        await delay(Math.min(taken, MAX_PAUSE_MS));
      } else if (taken >= LONG_TURN_MS) await delay(MIN_PAUSE_MS);
    }
    this.#isRunning = false;
  }
}
