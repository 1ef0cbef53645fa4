import type { Bytes } from "../buffer.ts";
import type { InputError } from "./input_error.ts";

/** The functions that the caller of an operation provides, and the results that it accepts. */
export interface CallContext {
  readonly yieldControl: YieldControl;
  /** Returns the maximum size of formatted JSON for an input, in bytes. */
  readonly getMaxResultBytes: (input: string | Bytes) => number;
  /** Whether the result can contain a long string as a `JsonString`, which is sent faster. */
  readonly acceptsJsonString?: boolean;
  /** Whether the result can contain bytes. Otherwise, bytes must be UTF-8, and become a string. */
  readonly acceptsBytes?: boolean;
  /** Called with the error if the result contains `valid: false`. */
  readonly onInvalid?: (error: InputError) => void;
}

/** Lets other requests run during a computation. Returns `undefined` if no pause is due. */
export type YieldControl = () => Promise<void> | undefined;

/** A no-op `YieldControl` for short computations and for processes that serve one client. */
export function noYield(): undefined {}
