/**
 * Functions that an endpoint, tool or command passes to an operation, in addition to the
 * values of its parameters.
 *
 * @module
 */

import type { InputError } from "./input_error.ts";

/** Passed to `run()` of an operation, in addition to the values of its parameters. */
export interface CallContext {
  /** Lets other requests run between the parts of a long computation. */
  readonly yieldControl: YieldControl;
  /**
   * Returns the largest permitted formatted JSON for an input, in bytes, inclusive. Formatting
   * can make JSON far larger than the input.
   */
  readonly getMaxResultBytes: (input: string) => number;
  /**
   * Whether a long string may be returned as a `JsonString`, which saves time if the result is
   * sent as JSON.
   */
  readonly acceptsJsonString?: boolean;
  /** Whether a result can be bytes. Otherwise, decoded bytes must be UTF-8. */
  readonly acceptsBytes?: boolean;
  /**
   * Called with the error that a result with `valid: false` describes, so that the caller can
   * show its position.
   */
  readonly onInvalid?: (error: InputError) => void;
}

/**
 * Interrupts a long computation, so that other requests run in the meantime. Returns
 * `undefined` if the computation may continue at once.
 */
export type YieldControl = () => Promise<void> | undefined;

/** A no-op `YieldControl` for short computations and for processes that serve one client. */
export function noYield(): undefined {}
