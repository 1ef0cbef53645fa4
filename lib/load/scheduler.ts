/** Shares the thread between large requests and small ones, which never wait here. */

import { HttpError } from "../http_error.ts";
import type { Work } from "../work.ts";

/** Length that a slice should have, in milliseconds. */
const SLICE_MS = 2;

/** Pause after slices, as a multiple of their length, while small requests come. */
const REST_FACTOR = 3;

/** Longest such pause, in milliseconds: a suspended process would pause for hours. */
const MAX_REST_MS = 1_000;

/** Length up to which slices are added before a pause, in milliseconds: timers are no finer. */
const MIN_WORK_MS = 1;

/** Time after a small request in which large work still pauses, in milliseconds. */
const SMALL_REQUEST_MS = 50;

/** A request whose work waits for its next slice. */
interface Waiting {
  readonly request: Request;
  /** Place in the order in which requests asked for their first slice. */
  readonly position: number;
  readonly start: () => void;
  readonly drop: (error: HttpError) => void;
}

/** Runs large work in slices, one in each round of the event loop, first in first out. */
export class Scheduler {
  /** Ordered by position. */
  readonly #waiting: Waiting[] = [];
  readonly #positions = new WeakMap<Request, number>();
  #nextPosition = 0;
  #isRunning = false;
  #smallRequests = 0;

  /** Notes that a small request has come, so that large work pauses for a while. */
  noteSmallRequest(): void {
    this.#smallRequests += 1;
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
    const position = this.#positions.get(request) ?? this.#nextPosition++;
    this.#positions.set(request, position);
    return new Promise((start, drop) => {
      const index = this.#waiting.findLastIndex((other) =>
        other.position <= position
      );
      this.#waiting.splice(index + 1, 0, { request, position, start, drop });
      if (!this.#isRunning) this.#startSlices();
    });
  }

  async #startSlices(): Promise<void> {
    this.#isRunning = true;
    let workedMs = 0;
    let seenRequests = this.#smallRequests;
    let lastSmallTime = -Infinity;
    await nextRound();
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      const startTime = performance.now();
      next.start();
      await nextRound();
      const now = performance.now();
      workedMs += now - startTime;
      if (this.#smallRequests > seenRequests) lastSmallTime = now;
      seenRequests = this.#smallRequests;
      if (workedMs < MIN_WORK_MS) continue;
      if (now < lastSmallTime + SMALL_REQUEST_MS) {
        await delay(Math.min(REST_FACTOR * workedMs, MAX_REST_MS));
      }
      workedMs = 0;
    }
    this.#isRunning = false;
  }

  /** Takes the first request whose client has not disconnected. */
  #takeNext(): Waiting | undefined {
    for (let next; (next = this.#waiting.shift());) {
      if (!next.request.signal.aborted) return next;
      next.drop(new HttpError(499, "the client has disconnected"));
    }
  }
}

/** Lets the event loop handle the events that have come. */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
