/** Memory, turns to compute and time limits, which the requests of a thread share. */

import type { BodyLimits, ServeInfo } from "../http/body.ts";
import { MAX_RESULT_BYTES } from "../operation/context.ts";
import { MemoryBudget } from "./memory_budget.ts";
import { Deadlines } from "./transfer.ts";
import { Turns } from "./turns.ts";

const MIB = 1024 * 1024;

/**
 * Memory for the large bodies, and for the large results, in bytes. Each amount is divided
 * among the threads, but a thread gets at least `MIN_BODIES` times `maxBodyBytes` for
 * bodies, and at least the largest result for results.
 */
const BODIES_BYTES = 48 * MIB;
const RESULTS_BYTES = 32 * MIB;

/** Minimum memory for the bodies of a thread, as a multiple of `maxBodyBytes`. */
const MIN_BODIES = 6;

/** Options of `createAdmission()`. */
export interface LoadOptions extends BodyLimits {
  /** Number of threads, among which the memory is divided. */
  readonly threads: number;
  /** Whether the service is shutting down: bodies that find no memory do not wait then. */
  readonly isStopping: () => boolean;
  /** Whether a shutdown is about to end: no answer may wait for memory any more. */
  readonly isEnding: () => boolean;
}

/** The limits that the requests of one thread share, and how much of them is used. */
export interface SharedState
  extends Pick<LoadOptions, "maxBodyBytes" | "isStopping"> {
  /** The memory for large bodies. */
  readonly bodies: MemoryBudget;
  /** The memory for large answers. */
  readonly results: MemoryBudget;
  readonly turns: Turns;
  /** The time limits of the bodies that are coming. */
  readonly deadlines: Deadlines;
}

/** A request, and what it shares with others. */
export interface Exchange {
  readonly request: Request;
  readonly info: ServeInfo;
  readonly shared: SharedState;
}

/** Creates the limits of one thread. */
export function createSharedState(
  { maxBodyBytes, bodyTimeoutMs, threads, isStopping, isEnding }: LoadOptions,
): SharedState {
  const bodies = Math.max(BODIES_BYTES / threads, MIN_BODIES * maxBodyBytes);
  const results = Math.max(RESULTS_BYTES / threads, MAX_RESULT_BYTES);
  return {
    maxBodyBytes,
    bodies: new MemoryBudget(bodies, isStopping),
    results: new MemoryBudget(results, isEnding),
    turns: new Turns(),
    deadlines: new Deadlines(bodyTimeoutMs),
    isStopping,
  };
}
