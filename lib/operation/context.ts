import type { InputError } from "./input_error.ts";

/** Passed to `run()` of an operation, in addition to the values of its parameters. */
export interface CallContext {
  /** Lets other requests run between the parts of a long computation. */
  readonly yieldControl: YieldControl;
  /** Returns the largest permitted formatted JSON for an input, in bytes, inclusive. */
  readonly getMaxResultBytes: (input: string) => number;
  /** Whether a long string can be a `JsonString`, which is faster to send as JSON. */
  readonly acceptsJsonString?: boolean;
  /** Whether a result can be bytes. Otherwise, decoded bytes must be UTF-8. */
  readonly acceptsBytes?: boolean;
  /** Called with the error that a result with `valid: false` describes. */
  readonly onInvalid?: (error: InputError) => void;
}

/** Lets other requests run. Returns `undefined` if the computation can continue at once. */
export type YieldControl = () => Promise<void> | undefined;

/** A no-op `YieldControl` for short computations and for processes that serve one client. */
export function noYield(): undefined {}
