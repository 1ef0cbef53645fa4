/** Lets one large request at a time compute, and small ones be answered between. */

import { setImmediate, setTimeout } from "node:timers/promises";
import { createDisconnectError } from "./budget.ts";

/** Time for which requests compute without a pause, in milliseconds. */
const TURN_MS = 2;

/** Shortest pause after that: new connections need it to be accepted, in milliseconds. */
const MIN_PAUSE_MS = 1;

/** Longest pause, in milliseconds. */
const MAX_PAUSE_MS = 10;

/** Number of turns after a small request that are followed by a pause as long as the turn. */
const LONG_PAUSES = 8;

/** The turns in which the large requests of a thread compute. */
export class Scheduler {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;
  /** `performance.now()` when the turn began. */
  #start = 0;
  #longPauses = 0;

  /** Notes that a small request has come: the next pauses are long. */
  noteSmallRequest(): void {
    this.#longPauses = LONG_PAUSES;
  }

  /**
   * Waits until a request may begin to compute, after those that began to wait before it.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {HttpError} 499 if the client has disconnected.
   */
  async begin(signal: AbortSignal): Promise<void> {
    await this.#wait((resume) => this.#waiting.push(resume), signal);
  }

  /**
   * Waits until a request may go on to compute, before those that have not begun. Returns
   * `undefined` if its turn is not over yet.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {HttpError} 499 if the client has disconnected.
   */
  pause(signal: AbortSignal): Promise<void> | undefined {
    if (performance.now() < this.#start + TURN_MS) return;
    return this.#wait((resume) => this.#waiting.unshift(resume), signal);
  }

  async #wait(
    enqueue: (resume: () => void) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const turn = new Promise<void>(enqueue);
    if (!this.#isRunning) this.#run();
    await turn;
    if (signal.aborted) throw createDisconnectError();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#start = performance.now();
    for (let resume; (resume = this.#waiting.shift()) !== undefined;) {
      resume();
      // Resolves after that request has computed and the event loop has gone round.
      await setImmediate();
      const taken = performance.now() - this.#start;
      if (taken < TURN_MS) continue;
      const isLong = this.#longPauses > 0;
      if (isLong) this.#longPauses -= 1;
      await setTimeout(isLong ? Math.min(taken, MAX_PAUSE_MS) : MIN_PAUSE_MS);
      this.#start = performance.now();
    }
    this.#isRunning = false;
  }
}
