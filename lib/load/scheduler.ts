/**
 * Shares the thread between the work of large requests and small requests, which
 * never wait here. Large work runs in slices, one in each round of the event loop,
 * so that small requests are answered in between.
 *
 * @module
 */

import { HttpError } from "../http_error.ts";
import type { Work } from "../work.ts";

/** Length that a slice should have, in milliseconds. */
const SLICE_MS = 2;

/** Pause after a slice, as a multiple of its length, while small requests come. */
const REST_FACTOR = 3;

/** Slices are added up to this length before a pause, in milliseconds: timers are no finer. */
const MIN_REST_MS = 1;

/** Time for which the last small request counts, in milliseconds. */
const SMALL_REQUEST_MS = 50;

/** A request whose work waits for its next slice. */
interface Waiting {
  readonly request: Request;
  /** Place in the order in which requests asked for their first slice. */
  readonly position: number;
  readonly start: () => void;
  readonly drop: (error: HttpError) => void;
}

/** Runs the work of large requests in slices; requests that came first go first. */
export class Scheduler {
  /** In order of their positions. */
  readonly #waiting: Waiting[] = [];
  readonly #positions = new WeakMap<Request, number>();
  #nextPosition = 0;
  #isRunning = false;
  #smallRequest: Request | undefined;
  #smallRequestTime = -Infinity;

  /** Notes that a small request came: large work pauses more for a while. */
  noteSmallRequest(request: Request): void {
    this.#smallRequest = request;
    this.#smallRequestTime = performance.now();
  }

  /**
   * Runs work to its end and returns its result: up to its first pause at once,
   * the rest in slices.
   *
   * @throws {HttpError} 499 if the client disconnects, and anything that the work
   * throws.
   */
  async run<Result>(request: Request, work: Work<Result>): Promise<Result> {
    let sliceEnd = -Infinity;
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (performance.now() < sliceEnd) continue;
      await this.waitForSlice(request);
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  /**
   * Waits for the start of a slice, which lasts until the event loop is entered
   * again.
   *
   * @throws {HttpError} 499 if the client disconnects.
   */
  waitForSlice(request: Request): Promise<void> {
    const position = this.#positions.get(request) ?? this.#nextPosition++;
    this.#positions.set(request, position);
    return new Promise((start, drop) => {
      const later = this.#waiting.findIndex((other) =>
        other.position > position
      );
      const index = later === -1 ? this.#waiting.length : later;
      this.#waiting.splice(index, 0, { request, position, start, drop });
      if (!this.#isRunning) this.#runWaiting();
    });
  }

  async #runWaiting(): Promise<void> {
    this.#isRunning = true;
    let workedMs = 0;
    await nextRound();
    for (;;) {
      this.#dropDisconnected();
      const next = this.#waiting.shift();
      if (next === undefined) break;
      const startTime = performance.now();
      next.start();
      await nextRound();
      workedMs += performance.now() - startTime;
      if (workedMs < MIN_REST_MS) continue;
      if (this.#waiting[0] && this.#isShared(this.#waiting[0].request)) {
        await delay(REST_FACTOR * workedMs);
      }
      workedMs = 0;
    }
    this.#isRunning = false;
  }

  #dropDisconnected(): void {
    while (this.#waiting[0]?.request.signal.aborted) {
      this.#waiting.shift()?.drop(createDisconnectedError());
    }
  }

  /** Whether another request that was small came recently. */
  #isShared(request: Request): boolean {
    return this.#smallRequest !== request &&
      performance.now() < this.#smallRequestTime + SMALL_REQUEST_MS;
  }
}

/** The error of a request whose client has disconnected, so that no client reads it. */
function createDisconnectedError(): HttpError {
  return new HttpError(499, "the client has disconnected");
}

/** Lets the event loop handle what has arrived. */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
