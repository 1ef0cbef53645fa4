/** Work that can be interrupted. */

/** Work that pauses wherever it may be interrupted, and returns its result. */
export type Work<Result> = Generator<void, Result>;

/** Runs work to its end without an interruption. */
export function runAtOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
