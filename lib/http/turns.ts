/**
 * Turns for long work, so that what is small is answered in between and never
 * waits for more than one of them. While small things are asked for, long work
 * rests after its turns: they find the thread free most of the time, however
 * many clients want much.
 *
 * @module
 */

import { HttpError } from "./errors.ts";

/** How long a turn should be, in milliseconds. */
export const TURN_MS = 2;

/** How many times as long as it has worked long work rests. */
const REST_FACTOR = 3;

/** Work that adds up to less has no rest yet, in milliseconds: timers are no finer. */
const MIN_WORK_MS = 1;

/** How long after something small others count as being there, in milliseconds. */
const SHARED_MS = 1_000;

/** A line in which long work waits for its turns, one in each round of the event loop. */
export class Turns {
  /** When the last one in the line has its turn. */
  #last: Promise<void> = Promise.resolve();
  /** How long turns have taken since the last rest, in milliseconds. */
  #workedMs = 0;
  /** Whether something small was asked for since that was looked at last. */
  #isSmallNew = false;
  /** When something was found to have been, in milliseconds of `performance.now()`. */
  #sharedTime = -Infinity;

  /** Waits for a turn, behind all who wait already. */
  take(): Promise<void> {
    this.#last = this.#last.then(() => this.#begin());
    return this.#last;
  }

  /** Notes that something small is asked for, which can afford no look at the time. */
  noteSmall(): void {
    this.#isSmallNew = true;
  }

  async #begin(): Promise<void> {
    // Whoever had the turn before works until this round is over.
    await nextRound();
    if (this.#workedMs >= MIN_WORK_MS) {
      const restMs = REST_FACTOR * this.#workedMs;
      this.#workedMs = 0;
      if (this.#isShared()) await rest(restMs);
    }
    const startTime = performance.now();
    nextRound().then(() => {
      this.#workedMs += performance.now() - startTime;
    });
  }

  #isShared(): boolean {
    const now = performance.now();
    if (this.#isSmallNew) this.#sharedTime = now;
    this.#isSmallNew = false;
    return now - this.#sharedTime < SHARED_MS;
  }
}

/**
 * Gives up long work for which nobody waits any more.
 *
 * @throws {HttpError} 499, which nobody reads, where the client has gone.
 */
export function assertPresent({ signal }: Request): void {
  if (signal.aborted) throw new HttpError(499, "the client has gone");
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
