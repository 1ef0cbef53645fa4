/** The limits of memory and time that the requests of a thread share. */

import { Deadlines } from "./deadlines.ts";
import { Room } from "./room.ts";
import { Turns } from "./turns.ts";

/** Limits of each request body. */
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

/** Largest body or answer that counts as small, in bytes, inclusive. */
export const SMALL_BYTES = 64 * 1024;

const MIB = 1024 * 1024;

/**
 * Memory for the large bodies, and for the large results, in bytes. Each amount is divided
 * among the threads, but a thread gets at least `MIN_BODIES` times `maxBodyBytes` for
 * bodies, and at least `MIN_RESULTS_BYTES` for results.
 */
const BODIES_BYTES = 48 * MIB;
const RESULTS_BYTES = 32 * MIB;

/** Minimum memory for the bodies of a thread, as a multiple of `maxBodyBytes`. */
const MIN_BODIES = 6;

/** Minimum memory for the results of a thread: the size of the largest result over HTTP. */
const MIN_RESULTS_BYTES = 8 * MIB;

/** The limits of memory and time of one thread, with their present state. */
export interface LoadLimits {
  readonly maxBodyBytes: number;
  readonly bodies: Room;
  readonly results: Room;
  readonly turns: Turns;
  readonly deadlines: Deadlines;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

interface LoadOptions extends BodyLimits {
  /** Number of threads, among which the memory is divided. */
  readonly threads: number;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
  /** Whether a shutdown is about to end, so that no answer may wait any more. */
  readonly isEnding: () => boolean;
}

/**
 * Creates the limits of one thread. It gets its share of the memory, but at least six times
 * `maxBodyBytes` for bodies, and 8 MiB for results.
 */
export function createLoadLimits(
  { maxBodyBytes, bodyTimeoutMs, threads, isStopping, isEnding }: LoadOptions,
): LoadLimits {
  const bodies = Math.max(BODIES_BYTES / threads, MIN_BODIES * maxBodyBytes);
  const results = Math.max(RESULTS_BYTES / threads, MIN_RESULTS_BYTES);
  return {
    maxBodyBytes,
    bodies: new Room(bodies, isStopping),
    results: new Room(results, isEnding),
    turns: new Turns(),
    deadlines: new Deadlines(bodyTimeoutMs),
    isStopping,
  };
}
