import { setImmediate as nextIteration } from "node:timers/promises";

/** Minimum computing time between two pauses, in milliseconds. */
const COMPUTE_MS = 4;

/**
 * Event-loop iterations in a pause. Deno polls for connections and data once every 61
 * iterations. The first poll accepts a connection, and the second one reads its request.
 */
const PAUSE_ITERATIONS = 150;

/**
 * Divides one thread's computing time into slices. In a slice, which lasts for one iteration of
 * the event loop, a computation finishes, yields, or waits for another thread. After up to 4 ms
 * of small computations, one slice goes to a large computation. During the pauses in between,
 * the event loop handles other requests.
 */
export class ComputeQueue {
  readonly #small: (() => void)[] = [];
  readonly #large: (() => void)[] = [];
  #isRunning = false;
  /** `performance.now()` at the end of the last pause. */
  #pausedAt = 0;

  /**
   * Waits for a time slice. A computation that has yielded comes before those that haven't
   * started, which use less memory.
   */
  take(size: "small" | "large", hasYielded = false): Promise<void> {
    const queue = size === "small" ? this.#small : this.#large;
    return new Promise((resolve) => {
      if (hasYielded) queue.unshift(resolve);
      else queue.push(resolve);
      if (!this.#isRunning) this.#run();
    });
  }

  /** If a pause is due, waits for another time slice for a large computation. */
  readonly yieldControl = (): Promise<void> | undefined =>
    this.#isPauseDue() ? this.take("large", true) : undefined;

  #isPauseDue(): boolean {
    return performance.now() - this.#pausedAt > COMPUTE_MS;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#pausedAt = performance.now();
    while (this.#small.length + this.#large.length > 0) {
      // The request is processed during the next iteration of the event loop.
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
