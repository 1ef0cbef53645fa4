import type { InputError } from "./input_error.ts";

/** What the caller of an operation provides and supports. */
export interface CallContext {
  readonly yieldControl: YieldControl;
  /** Returns the maximum size of formatted JSON for an input, in bytes. */
  readonly getMaxResultBytes: (input: string) => number;
  /** Whether a long string can be a `JsonString`, which is sent faster. */
  readonly acceptsJsonString?: boolean;
  /** Whether a result can be bytes. Otherwise, they must be UTF-8 and become a string. */
  readonly acceptsBytes?: boolean;
  /** Called with the error behind a result with `valid: false`. */
  readonly onInvalid?: (error: InputError) => void;
}

/** Lets other requests run during a computation. Returns `undefined` if it can continue now. */
export type YieldControl = () => Promise<void> | undefined;

/** A no-op `YieldControl` for short computations and for processes that serve one client. */
export function noYield(): undefined {}
