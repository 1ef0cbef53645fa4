import { setImmediate as nextIteration } from "node:timers/promises";

/** Minimum computing time between two pauses, in milliseconds. */
const COMPUTE_MS = 4;

/**
 * Event-loop iterations per pause. Deno polls for connections and data once in 61 iterations:
 * it accepts a connection within the first 61, and reads the request within the next 61.
 */
const PAUSE_ITERATIONS = 150;

/**
 * Schedules the computations of one thread in time slices. In a slice, which lasts for one
 * iteration of the event loop, a computation ends, yields, or waits for another thread. Up to
 * 4 ms of small computations alternate with one large computation. In the pauses between them,
 * the event loop handles other requests.
 */
export class ComputeQueue {
  readonly #small: (() => void)[] = [];
  readonly #large: (() => void)[] = [];
  #isRunning = false;
  /** `performance.now()` at the end of the last pause. */
  #pausedAt = 0;

  /** Waits for a time slice. */
  take(size: "small" | "large"): Promise<void> {
    const queue = size === "small" ? this.#small : this.#large;
    return new Promise((resolve) => {
      queue.push(resolve);
      if (!this.#isRunning) this.#run();
    });
  }

  /** Waits for another time slice of a large computation if a pause is due. */
  readonly yieldControl = (): Promise<void> | undefined =>
    this.#isPauseDue() ? this.take("large") : undefined;

  #isPauseDue(): boolean {
    return performance.now() - this.#pausedAt > COMPUTE_MS;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#pausedAt = performance.now();
    while (this.#small.length + this.#large.length > 0) {
      // A resolved request computes during the next iteration of the event loop.
      while (this.#small.length > 0 && !this.#isPauseDue()) {
        this.#small.shift()!();
        await nextIteration();
      }
      this.#large.shift()?.();
      await nextIteration();
      if (!this.#isPauseDue()) continue;
      for (let i = 0; i < PAUSE_ITERATIONS; i += 1) await nextIteration();
      this.#pausedAt = performance.now();
    }
    this.#isRunning = false;
  }
}
