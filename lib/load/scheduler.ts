/** Divides the time of the thread: large requests are worked on in time slices of a few milliseconds, between which small requests are answered. */

import { setImmediate } from "node:timers";
import type { Work } from "../work.ts";
import type { LargeRequest } from "./large_request.ts";

/**
 * Length of a time slice, in milliseconds. A step of the work that has begun in it is
 * finished, even if that takes longer.
 */
const SLICE_MS = 2;

/**
 * Length of a time slice for computations of a single step if no small request has come for
 * `QUIET_MS`, in milliseconds. It is longer than `SLICE_MS`, since a computation that has
 * to wait for the next time slice takes twice the time: its data is no longer in a cache of
 * the processor (`docs/speed.md`).
 */
const LONG_SLICE_MS = 32;
/**
 * Time without a small request, in milliseconds, after which `LONG_SLICE_MS` applies in
 * place of `SLICE_MS`.
 */
const QUIET_MS = 1_000;

/**
 * Length of a pause after a time slice, in which small requests are answered, in
 * milliseconds.
 */
const REST_MS = 6;

/** Number of time slices after a small request that are each followed by a pause of `REST_MS`. */
const RESTS = 6;
/**
 * Time without a time slice, in milliseconds, after which the next time slices are not
 * followed by pauses, until another small request comes.
 */
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
  /** Time (`performance.now()`) until which a computation of a single step may begin. */
  readonly shortEnd: number;
  /**
   * Resolves when the next time slice can begin: at the end of this one, or of the pause
   * after it.
   */
  readonly over: PromiseWithResolvers<void>;
}

/**
 * Runs the work on large requests in time slices, at most one in each iteration of the
 * event loop. Several short computations share a time slice.
 */
export class Scheduler {
  readonly #jobs: Job[] = [];
  #isRunning = false;
  /** The current time slice, or the last one during the pause after it; otherwise `undefined`. */
  #slice: Slice | undefined;
  /**
   * Time (`performance.now()`) at which the last time slice ended, including the pause
   * after it.
   */
  #idleSince = -Infinity;
  /**
   * Number of the next time slices that will be followed by a pause; set when a small
   * request comes. The number of time slices is used, not a time, since reading the clock
   * for each small request would take longer (Deno 2.9.6).
   */
  #rests = 0;
  #hasNewSmallRequest = false;
  /**
   * Approximate time (`performance.now()`) of the last small request: the start of the
   * first time slice after it. The clock is not read for each small request, since that
   * takes time.
   */
  #smallRequestTime = -Infinity;

  /** Notes that a small request has come, so that the next time slices are followed by pauses. */
  noteSmallRequest(): void {
    this.#rests = RESTS;
    this.#hasNewSmallRequest = true;
  }

  /**
   * Waits until a computation of a single step may begin. Returns `undefined` if it may
   * begin now.
   */
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

  /**
   * Called at the end of an iteration of the event loop that had a time slice. Ends the
   * time slice, either at once or, if a small request came recently, after a pause.
   */
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
