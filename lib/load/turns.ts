/**
 * Shares the time of a thread: large requests compute one after the other, in order of
 * arrival, and small requests are answered in the pauses between the computations.
 *
 * A turn lasts for one round of the event loop. In it, a computation ends, waits for its next
 * turn, or waits for something else, such as memory, or a digest that another thread of Deno
 * computes. Each of them ends the turn. A computation that waits for its next turn continues
 * before another one begins; one that waits for a digest continues when the digest has come,
 * without a turn.
 */

import { setImmediate } from "node:timers/promises";
import { LoadError } from "../operation/context.ts";

/** Least time for which large requests compute between two pauses, in milliseconds. */
const MIN_COMPUTING_MS = 4;

/**
 * Number of rounds of the event loop in a pause. Deno 2.9 looks for new connections
 * and data once in 61 rounds: a connection is accepted within the first 61 rounds, and its
 * request is read within the next 61.
 */
const PAUSE_ROUNDS = 150;

/** The order in which the large requests of a thread compute. */
export class Turns {
  /** The functions that let a computation begin, in order of arrival. */
  readonly #beginning: (() => void)[] = [];
  /** The functions that let a computation continue, in the order of their waits. */
  readonly #continuing: (() => void)[] = [];
  #isGivingTurns = false;

  /**
   * Waits until a computation may begin.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {LoadError} at the end of the wait, if the client has disconnected.
   */
  async waitToBegin(signal: AbortSignal): Promise<void> {
    await this.#wait(this.#beginning, signal);
  }

  /**
   * Ends the turn of a computation, and waits until the computation may continue. Meanwhile,
   * small requests can be answered.
   *
   * @param signal Aborts when the client disconnects.
   * @throws {LoadError} at the end of the wait, if the client has disconnected.
   */
  async waitToContinue(signal: AbortSignal): Promise<void> {
    await this.#wait(this.#continuing, signal);
  }

  async #wait(queue: (() => void)[], signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    if (!this.#isGivingTurns) this.#giveTurns();
    await promise;
    if (signal.aborted) throw new LoadError("disconnected");
  }

  async #giveTurns(): Promise<void> {
    this.#isGivingTurns = true;
    let start = performance.now();
    let next = this.#takeNext();
    while (next !== undefined) {
      next();
      // The turn of this computation.
      await setImmediate();
      if (performance.now() - start >= MIN_COMPUTING_MS) {
        await letSmallRequestsIn();
        start = performance.now();
      }
      next = this.#takeNext();
    }
    this.#isGivingTurns = false;
  }

  #takeNext(): (() => void) | undefined {
    return this.#continuing.shift() ?? this.#beginning.shift();
  }
}

/** The pause between two computations. */
async function letSmallRequestsIn(): Promise<void> {
  for (let round = 0; round < PAUSE_ROUNDS; round += 1) await setImmediate();
}
