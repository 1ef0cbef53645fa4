/** Shares the thread between large requests and small ones, which never wait here. */

import { setImmediate, setTimeout } from "node:timers/promises";
import { HttpError } from "../http_error.ts";
import type { Work } from "../work.ts";

/** Length that a slice should have, and the pause between two while small requests come, in milliseconds. */
const SLICE_MS = 2;
const REST_MS = 6;

/** Pauses after a small request, and the time that they take with the slices between, in milliseconds. */
const RESTS = 6;
const RESTS_MS = 50;

/** Work that waits for its next slice. */
interface Job extends PromiseWithResolvers<unknown> {
  readonly signal: AbortSignal;
  readonly work: Work<unknown>;
}

/** Runs large work in slices, one in each round of the event loop, in the order of the requests. */
export class Scheduler {
  readonly #jobs: Job[] = [];
  /** Requests whose work has begun: the rest of it precedes the work of others. */
  readonly #begun = new WeakSet<Request>();
  /** Time since which no work is left; `Infinity` while there is some. */
  #idleSince = -Infinity;
  /** Pauses that large work has to make. To note the time of a request would take longer. */
  #rests = 0;

  /** Notes that a small request has come, so that large work pauses for a while. */
  noteSmallRequest(): void {
    this.#rests = RESTS;
  }

  /** Runs work to its first pause at once, and the rest like `runInSlices()`. */
  run<Value>(request: Request, work: Work<Value>): Value | Promise<Value> {
    const step = work.next();
    return step.done ? step.value : this.runInSlices(request, work);
  }

  /**
   * Runs work to its end in slices. Several short jobs share a slice.
   *
   * @throws {HttpError} 499 if the client disconnects; and errors of the work.
   */
  async runInSlices<Value>(
    request: Request,
    work: Work<Value>,
  ): Promise<Value> {
    const resolvers = Promise.withResolvers<unknown>();
    // A signal that is first read after an HTTP/2 reset never aborts (Deno 2.9.6).
    const job = { ...resolvers, signal: request.signal, work };
    if (this.#begun.has(request)) this.#jobs.unshift(job);
    else this.#jobs.push(job);
    this.#begun.add(request);
    if (this.#idleSince < Infinity) this.#runJobs();
    return await job.promise as Value;
  }

  async #runJobs(): Promise<void> {
    if (performance.now() > this.#idleSince + RESTS_MS) this.#rests = 0;
    this.#idleSince = Infinity;
    await setImmediate();
    while (this.#jobs.length > 0) {
      this.#runSlice(performance.now() + SLICE_MS);
      await setImmediate();
      if (this.#jobs.length === 0 || this.#rests === 0) continue;
      this.#rests -= 1;
      await setTimeout(REST_MS);
    }
    this.#idleSince = performance.now();
  }

  #runSlice(end: number): void {
    while (this.#jobs.length > 0 && performance.now() < end) {
      const { signal, work, resolve, reject } = this.#jobs[0]!;
      try {
        if (signal.aborted) {
          work.return(undefined);
          throw new HttpError(499, "the client has disconnected");
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
