/** Everything that the requests of a thread share. */

import { Budget } from "./budget.ts";
import { Deadlines } from "./deadlines.ts";
import { Scheduler } from "./scheduler.ts";

/** Limits of request bodies. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive: 1 to 16,777,216. */
  readonly maxBodyBytes: number;
  /**
   * Time limit for the arrival of the whole body, in milliseconds: 1 to 2,147,483,647. A
   * body that averages 64 KiB/s or more may take longer.
   */
  readonly bodyTimeoutMs: number;
}

/** The default limits: 1 MiB and 10 seconds. */
export const DEFAULT_BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 1024 * 1024,
  bodyTimeoutMs: 10_000,
};

/** The largest limits: 16 MiB, and the longest delay of a timer, about 25 days. */
export const MAX_BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  bodyTimeoutMs: 2 ** 31 - 1,
};

/** Memory for the large requests of all threads, in bytes. */
const PROCESS_BYTES = 64 * 1024 * 1024;

/** Least memory for the large requests of a thread, in bytes. */
const MIN_THREAD_BYTES = 16 * 1024 * 1024;

/** Least memory for the large requests of a thread, in bodies of the largest size. */
const MIN_THREAD_BODIES = 6;

/** Memory beside the budget for the request that computes and for the extra body, in bodies. */
const WORK_BODIES = 4;

/** Memory beside the budget for the `extra` result of a share, in bytes: the largest. */
const EXTRA_RESULT_BYTES = 8 * 1024 * 1024;

/** The limits of time and memory that the requests of a thread share. */
export interface Load {
  readonly maxBodyBytes: number;
  readonly budget: Budget;
  readonly scheduler: Scheduler;
  readonly deadlines: Deadlines;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

/** Creates the limits of a thread; the memory is divided by the number of threads. */
export function createLoad(
  { maxBodyBytes, bodyTimeoutMs }: BodyLimits,
  { threads, isStopping }: { threads: number; isStopping: () => boolean },
): Load {
  const bytes = Math.max(
    PROCESS_BYTES / threads,
    MIN_THREAD_BYTES,
    EXTRA_RESULT_BYTES + MIN_THREAD_BODIES * maxBodyBytes,
  );
  const shared = bytes - EXTRA_RESULT_BYTES - WORK_BODIES * maxBodyBytes;
  return {
    maxBodyBytes,
    budget: new Budget(shared, isStopping),
    scheduler: new Scheduler(),
    deadlines: new Deadlines(bodyTimeoutMs),
    isStopping,
  };
}
