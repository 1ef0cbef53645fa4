/**
 * Shares the processor: large requests compute one after the other, in order of arrival, and
 * small requests are answered in the pauses between them. A computation that has paused
 * itself goes on before another one begins.
 */

import { setImmediate } from "node:timers/promises";
import { DisconnectError } from "./errors.ts";

/** Time for which large requests compute without a pause, in milliseconds. */
const TURN_MS = 4;

/**
 * Rounds of the event loop in a pause. Deno 2.9 looks for new data once in 61 rounds: a new
 * connection is accepted in the first 61, and its request is read in the next.
 */
const PAUSE_ROUNDS = 150;

/** The order in which the large requests of a thread compute. */
export class Turns {
  /** The functions that let a computation begin, in order of arrival. */
  readonly #waiting: (() => void)[] = [];
  /** The functions that let a computation go on after a pause. */
  readonly #paused: (() => void)[] = [];
  #isRunning = false;

  /**
   * Waits until a computation may begin.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {DisconnectError} if the client has disconnected.
   */
  async begin(signal: AbortSignal): Promise<void> {
    await this.#wait(this.#waiting, signal);
  }

  /**
   * Lets small requests be answered during a computation.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {DisconnectError} if the client has disconnected.
   */
  async pause(signal: AbortSignal): Promise<void> {
    await this.#wait(this.#paused, signal);
  }

  async #wait(queue: (() => void)[], signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    if (!this.#isRunning) this.#run();
    await promise;
    if (signal.aborted) throw new DisconnectError();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let start = performance.now();
    let next = this.#takeNext();
    while (next !== undefined) {
      next();
      // When the event loop has gone round, this computation has ended, or waits for
      // something else, such as a digest.
      await setImmediate();
      const takenMs = performance.now() - start;
      if (takenMs >= TURN_MS) {
        await letOthersCompute(takenMs);
        start = performance.now();
      }
      next = this.#takeNext();
    }
    this.#isRunning = false;
  }

  #takeNext(): (() => void) | undefined {
    return this.#paused.shift() ?? this.#waiting.shift();
  }
}

/**
 * Makes a pause for other requests.
 *
 * @param maxMs Longest pause, in milliseconds: in Deno 2.5, a round takes a millisecond.
 */
async function letOthersCompute(maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  let rounds = 0;
  while (rounds < PAUSE_ROUNDS && performance.now() < end) {
    await setImmediate();
    rounds += 1;
  }
}
