/**
 * This module defines computations that can pause, so that other requests can run in
 * between.
 *
 * @module
 */

/**
 * A computation that yields wherever it can pause, and returns its result. Do not define
 * its generator function inside a function that runs for each request: V8 would keep the
 * variables of the outer function in memory until the next full garbage collection.
 */
export type Work<Result> = Generator<void, Result>;

/** Whether a value is a computation, and not its result. */
export function isWork<Result>(
  value: Result | Work<Result>,
): value is Work<Result> {
  return value instanceof Iterator;
}

/** Runs a computation to its end without pauses. */
export function runAtOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
