/**
 * Functions and limits that an endpoint, tool or command gives to an operation, besides the
 * values of its parameters.
 *
 * @module
 */

import type { InputError } from "./input_error.ts";

/** The `maxResultBytes` of endpoints, in bytes, inclusive: 8 MiB. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;

/** Is given to `run()` of an operation, besides the values of its parameters. */
export interface CallContext {
  /** Lets other requests be answered between the parts of a long computation. */
  readonly pause: Pause;
  /**
   * Largest permitted formatted JSON, in bytes, inclusive. Formatting can make JSON far
   * larger than the input.
   */
  readonly maxResultBytes: number;
  /**
   * Called with the error that a result with `valid: false` describes, so that the caller can
   * show its position.
   */
  readonly onInvalid?: (error: InputError) => void;
}

/**
 * Pauses a long computation, so that other requests are answered meanwhile. A call with the
 * size of the coming result, in bytes, also waits until there is memory for the result.
 * Returns `undefined` if the computation may go on at once. The promise rejects with a
 * `LoadError` if the computation must end.
 */
export type Pause = (resultBytes?: number) => Promise<void> | undefined;

/** The error for a call that is given up while it waits; its arguments are not at fault. */
export class LoadError extends Error {
  override name = "LoadError";

  /**
   * @param reason `busy` if there is no memory in time, or a transfer is too slow while
   * others wait for memory; `stopping` if the service stops; `disconnected` if the client
   * has disconnected.
   */
  constructor(readonly reason: "busy" | "stopping" | "disconnected") {
    super(reason);
  }
}

/** A `Pause` that never waits: for short computations, and for programs with one client. */
export function doNotPause(): undefined {}
