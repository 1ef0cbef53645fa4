/** The limits of memory and time that the requests of a thread share. */

import { Deadlines } from "./deadlines.ts";
import { Room } from "./room.ts";
import { Turns } from "./turns.ts";

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

const MIB = 1024 * 1024;

/** Memory for the bodies and for the results of all threads, in bytes. */
const BODIES_BYTES = 48 * MIB;
const RESULTS_BYTES = 32 * MIB;

/** Least memory for the bodies of a thread, in bodies of the largest size. */
const MIN_BODIES = 6;

/** Least memory for the results of a thread, in bytes: the largest result. */
const MIN_RESULTS_BYTES = 8 * MIB;

/** The state of these limits: one object for each thread. */
export interface LoadLimits {
  readonly maxBodyBytes: number;
  readonly bodies: Room;
  readonly results: Room;
  readonly turns: Turns;
  readonly deadlines: Deadlines;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

/** Options of `createLoadLimits()`. */
interface LoadOptions extends BodyLimits {
  /** Number of threads, among which the memory is divided. */
  readonly threads: number;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

/** Creates the limits of a thread: its share of the memory, but at least what is needed. */
export function createLoadLimits(
  { maxBodyBytes, bodyTimeoutMs, threads, isStopping }: LoadOptions,
): LoadLimits {
  const bodies = Math.max(BODIES_BYTES / threads, MIN_BODIES * maxBodyBytes);
  const results = Math.max(RESULTS_BYTES / threads, MIN_RESULTS_BYTES);
  return {
    maxBodyBytes,
    bodies: new Room(bodies, isStopping),
    results: new Room(results),
    turns: new Turns(),
    deadlines: new Deadlines(bodyTimeoutMs),
    isStopping,
  };
}
