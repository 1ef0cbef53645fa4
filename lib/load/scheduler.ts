/** Divides the time of the thread: large requests are worked on in time slices of a few milliseconds, between which small requests are answered. */

import { setImmediate } from "node:timers";
import type { Work } from "../work.ts";
import type { LargeRequest } from "./large_request.ts";

/** Length of a time slice, in milliseconds. A step of work that has begun is finished, even if it takes longer. */
const SLICE_MS = 2;

/**
 * Length of a time slice for short computations (those of one step) if no small request
 * has come for `QUIET_MS`, in milliseconds. A computation that is put off to the next
 * iteration of the event loop takes twice the time, since its data is no longer in a
 * cache of the processor (`docs/speed.md`).
 */
const LONG_SLICE_MS = 32;
/** Time without a small request after which time slices for short computations are long, in milliseconds. */
const QUIET_MS = 1_000;

/** Length of a pause between two time slices, in which small requests are answered, in milliseconds. */
const REST_MS = 6;

/** Number of time slices after a small request that are followed by a pause. */
const RESTS = 6;
/** If no time slice has run for this long, in milliseconds, the next ones are not followed by pauses until another small request comes. */
const RESTS_MS = 50;

/** Work on a large request that waits for its next time slice. */
interface Job extends PromiseWithResolvers<unknown> {
  readonly large: LargeRequest;
  readonly work: Work<unknown>;
}

/** A time slice, in which large requests are worked on; at most one in each iteration of the event loop. */
interface Slice {
  /** Time (`performance.now()`) until which a further step of work may begin. */
  readonly workEnd: number;
  /** Time (`performance.now()`) until which a short computation, of one step, may begin. */
  readonly shortEnd: number;
  /** Resolves when the next time slice can begin: at the end of this one, and of the pause after it if there is one. */
  readonly over: PromiseWithResolvers<void>;
}

/** Runs the work on large requests in time slices, one in each iteration of the event loop. Several short computations share a time slice. */
export class Scheduler {
  readonly #jobs: Job[] = [];
  #isRunning = false;
  /** The current time slice, until the end of the pause after it; `undefined` if there is none. */
  #slice: Slice | undefined;
  /** Time (`performance.now()`) at which the last time slice, and the pause after it, ended. */
  #idleSince = -Infinity;
  /**
   * Number of time slices that will still be followed by a pause, because a small request
   * has come. Slices are counted, since reading the clock for each small request takes
   * longer (Deno 2.9.6).
   */
  #rests = 0;
  #hasNewSmallRequest = false;
  /**
   * Approximate time (`performance.now()`) of the last small request: the start of the
   * first time slice after it, since reading the clock for each request takes longer.
   */
  #smallRequestTime = -Infinity;

  /** Notes that a small request has come, so that the next time slices are followed by pauses. */
  noteSmallRequest(): void {
    this.#rests = RESTS;
    this.#hasNewSmallRequest = true;
  }

  /** Waits until a short computation, of one step, may begin. Returns `undefined` if it may begin now. */
  startShort(): Promise<void> | undefined {
    return this.#startSlice("shortEnd");
  }

  #startSlice(end: "shortEnd" | "workEnd"): Promise<void> | undefined {
    const slice = this.#slice ??= this.#createSlice();
    if (performance.now() < slice[end]) return undefined;
    return slice.over.promise.then(() => this.#startSlice(end));
  }

  /**
   * Runs work to its end in time slices.
   *
   * @throws {HttpError} 499 if the client disconnects; and the errors that the work
   * throws.
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

  /** Called when an iteration of the event loop with a time slice has ended: ends the time slice at once, or after a pause if one is due. */
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
