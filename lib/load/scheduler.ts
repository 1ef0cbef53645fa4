/** Shares the thread between large requests and small ones, which never wait here. */

import { setImmediate } from "node:timers";
import type { Work } from "../work.ts";
import type { LargeRequest } from "./large_request.ts";

/** Length that a slice should have, in milliseconds. */
const SLICE_MS = 2;

/**
 * Length of a slice for short computations if no small request has come for a while, and
 * that while, in milliseconds. Bodies that wait for another round of the event loop take
 * twice the time, since they are in no cache any more (`docs/speed.md`).
 */
const LONG_SLICE_MS = 32;
const QUIET_MS = 1_000;

/** Pause between two slices while small requests come, in milliseconds. */
const REST_MS = 6;

/** Pauses after a small request, and the time that they take with the slices between, in milliseconds. */
const RESTS = 6;
const RESTS_MS = 50;

/** Work that waits for its next slice. */
interface Job extends PromiseWithResolvers<unknown> {
  readonly large: LargeRequest;
  readonly work: Work<unknown>;
}

/** A time for large work, at most one in each round of the event loop. */
interface Slice {
  /** Time of `performance.now()` until which work in steps may run. */
  readonly workEnd: number;
  /** Time of `performance.now()` until which short computations may start. */
  readonly shortEnd: number;
  /** Resolves when the next slice can begin. */
  readonly over: PromiseWithResolvers<void>;
}

/**
 * Runs large work in slices, one in each round of the event loop. Requests whose work is
 * short share a slice.
 */
export class Scheduler {
  readonly #jobs: Job[] = [];
  #isRunning = false;
  /** The slice of this round; `undefined` if there is none yet. */
  #slice: Slice | undefined;
  /** Time since which there is no slice. */
  #idleSince = -Infinity;
  /** Pauses that large work has to make. To note the time of a request would take longer. */
  #rests = 0;
  #hasNewSmallRequest = false;
  /** Time of the slice before which the last small request came. */
  #smallRequestTime = -Infinity;

  /** Notes that a small request has come, so that large work pauses for a while. */
  noteSmallRequest(): void {
    this.#rests = RESTS;
    this.#hasNewSmallRequest = true;
  }

  /** Waits for a slice in which a short computation may start, unless there is one now. */
  startShort(): Promise<void> | undefined {
    return this.#startSlice("shortEnd");
  }

  #startSlice(end: "shortEnd" | "workEnd"): Promise<void> | undefined {
    const slice = this.#slice ??= this.#createSlice();
    if (performance.now() < slice[end]) return undefined;
    return slice.over.promise.then(() => this.#startSlice(end));
  }

  /**
   * Runs work to its end in slices.
   *
   * @throws {HttpError} 499 if the client disconnects; and errors of the work.
   */
  async runInSlices<Value>(
    large: LargeRequest,
    work: Work<Value>,
  ): Promise<Value> {
    const resolvers = Promise.withResolvers<unknown>();
    this.#jobs.push({ ...resolvers, large, work });
    if (!this.#isRunning) this.#runJobs();
    return await resolvers.promise as Value;
  }

  #createSlice(): Slice {
    const now = performance.now();
    if (now > this.#idleSince + RESTS_MS) this.#rests = 0;
    setImmediate(this.#endRound);
    if (this.#hasNewSmallRequest) this.#smallRequestTime = now;
    this.#hasNewSmallRequest = false;
    const isQuiet = now > this.#smallRequestTime + QUIET_MS;
    return {
      workEnd: now + SLICE_MS,
      shortEnd: now + (isQuiet ? LONG_SLICE_MS : SLICE_MS),
      over: Promise.withResolvers(),
    };
  }

  /** Ends the slice with its round of the event loop, or with the pause that may follow. */
  readonly #endRound = (): void => {
    if (this.#rests === 0) return this.#endSlice();
    this.#rests -= 1;
    setTimeout(this.#endSlice, REST_MS);
  };

  readonly #endSlice = (): void => {
    this.#slice?.over.resolve();
    this.#slice = undefined;
    this.#idleSince = performance.now();
  };

  async #runJobs(): Promise<void> {
    this.#isRunning = true;
    while (this.#jobs.length > 0) {
      await this.#startSlice("workEnd");
      this.#runSlice(this.#slice!.workEnd);
    }
    this.#isRunning = false;
  }

  #runSlice(end: number): void {
    while (this.#jobs.length > 0 && performance.now() < end) {
      const { large, work, resolve, reject } = this.#jobs[0]!;
      try {
        if (large.signal.aborted) {
          work.return(undefined);
          throw large.createDisconnectError();
        }
        let step = work.next();
        while (!step.done && performance.now() < end) step = work.next();
        if (!step.done) return;
        resolve(step.value);
      } catch (error) {
        reject(error);
      }
      this.#jobs.shift();
    }
  }
}
