/** The limits of memory and time that the requests of a thread share. */

import type { BodyLimits, ServeInfo } from "../http/body.ts";
import { MAX_RESULT_BYTES } from "../operation/caller.ts";
import { Room } from "./room.ts";
import { Deadlines } from "./transfer.ts";
import { Turns } from "./turns.ts";

/** Largest answer that is sent in one piece, in bytes, inclusive. */
export const WHOLE_BYTES = 256 * 1024;

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

/** The limits of one thread, with their present state. */
export interface Limits {
  readonly maxBodyBytes: number;
  readonly bodies: Room;
  readonly results: Room;
  readonly turns: Turns;
  readonly deadlines: Deadlines;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

/** A request to be answered within the limits of its thread. */
export interface Exchange {
  readonly request: Request;
  readonly info: ServeInfo;
  readonly limits: Limits;
}

/** Creates the limits of one thread. */
export function createLimits(
  { maxBodyBytes, bodyTimeoutMs, threads, isStopping, isEnding }: LoadOptions,
): Limits {
  const bodies = Math.max(BODIES_BYTES / threads, MIN_BODIES * maxBodyBytes);
  const results = Math.max(RESULTS_BYTES / threads, MAX_RESULT_BYTES);
  return {
    maxBodyBytes,
    bodies: new Room(bodies, isStopping),
    results: new Room(results, isEnding),
    turns: new Turns(),
    deadlines: new Deadlines(bodyTimeoutMs),
    isStopping,
  };
}
