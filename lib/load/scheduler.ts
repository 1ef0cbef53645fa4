/** Shares the thread between large requests and small ones, which never wait here. */

import { setImmediate, setTimeout } from "node:timers/promises";
import { HttpError } from "../http_error.ts";
import type { Work } from "../work.ts";

/** Length that a slice should have, in milliseconds. */
const SLICE_MS = 2;

/** Pause after each slice while small requests come, in milliseconds. */
const REST_MS = 6;

/** Time after a small request in which large work still pauses, in milliseconds. */
const SMALL_REQUEST_MS = 50;

/** A request whose work waits for its next slice. */
interface Waiting {
  readonly request: Request;
  readonly start: () => void;
  readonly drop: (error: HttpError) => void;
}

/** Runs large work in slices, one in each round of the event loop, first in first out. */
export class Scheduler {
  readonly #waiting: Waiting[] = [];
  /** Requests that have had a slice: they have their next one before others start. */
  readonly #started = new WeakSet<Request>();
  #isRunning = false;
  #smallRequestTime = -Infinity;

  /** Notes that a small request has come, so that large work pauses for a while. */
  noteSmallRequest(): void {
    this.#smallRequestTime = performance.now();
  }

  /**
   * Runs work to its end: up to its first pause at once, the rest in slices.
   *
   * @throws {HttpError} 499 if the client disconnects; and errors of the work.
   */
  run<Result>(
    request: Request,
    work: Work<Result>,
  ): Result | Promise<Result> {
    const step = work.next();
    return step.done ? step.value : this.#runInSlices(request, work);
  }

  async #runInSlices<Result>(request: Request, work: Work<Result>) {
    for (;;) {
      await this.waitForSlice(request);
      const end = performance.now() + SLICE_MS;
      do {
        const step = work.next();
        if (step.done) return step.value;
      } while (performance.now() < end);
    }
  }

  /**
   * Waits for a slice, which lasts until the event loop is entered again.
   *
   * @throws {HttpError} 499 if the client disconnects.
   */
  waitForSlice(request: Request): Promise<void> {
    return new Promise((start, drop) => {
      const waiting = { request, start, drop };
      if (this.#started.has(request)) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      if (!this.#isRunning) this.#startSlices();
    });
  }

  async #startSlices(): Promise<void> {
    this.#isRunning = true;
    await setImmediate();
    for (let next; (next = this.#waiting.shift());) {
      const { request, start, drop } = next;
      if (request.signal.aborted) {
        drop(new HttpError(499, "the client has disconnected"));
        continue;
      }
      this.#started.add(request);
      start();
      await setImmediate();
      const restEnd = this.#smallRequestTime + SMALL_REQUEST_MS;
      if (performance.now() < restEnd) await setTimeout(REST_MS);
    }
    this.#isRunning = false;
  }
}
