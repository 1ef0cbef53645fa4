/**
 * Shares the time of a thread: large requests compute one after the other, in order of
 * arrival, and small requests are answered in the pauses between the computations. A
 * computation that has called `pause()` continues before another computation begins.
 */

import { setImmediate } from "node:timers/promises";
import { LoadError } from "../operation/caller.ts";

/** Least time for which large requests compute between two pauses, in milliseconds. */
const TURN_MS = 4;

/**
 * Number of rounds of the event loop in a pause. Deno 2.9 looks for new connections
 * and data once in 61 rounds: a connection is accepted within the first 61 rounds, and its
 * request is read within the next 61.
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
   * @throws {LoadError} at the end of the wait, if the client has disconnected.
   */
  async begin(signal: AbortSignal): Promise<void> {
    await this.#wait(this.#waiting, signal);
  }

  /**
   * Waits until a computation may continue. Meanwhile, small requests can be answered.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {LoadError} at the end of the wait, if the client has disconnected.
   */
  async pause(signal: AbortSignal): Promise<void> {
    await this.#wait(this.#paused, signal);
  }

  async #wait(queue: (() => void)[], signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    if (!this.#isRunning) this.#run();
    await promise;
    if (signal.aborted) throw new LoadError("disconnected");
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let start = performance.now();
    let next = this.#takeNext();
    while (next !== undefined) {
      next();
      // After one round of the event loop, this computation has ended, has called
      // `pause()`, or waits, for example for a digest or for memory.
      await setImmediate();
      if (performance.now() - start >= TURN_MS) {
        await letOthersCompute();
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

/** Lets the event loop handle other requests. */
async function letOthersCompute(): Promise<void> {
  for (let round = 0; round < PAUSE_ROUNDS; round += 1) await setImmediate();
}
