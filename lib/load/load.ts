/** A request with everything that bounds its load. */

import type { Budget } from "./budget.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Scheduler } from "./scheduler.ts";

/** Limits of request bodies. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /**
   * Time in which a body must arrive whole, in milliseconds, unless it arrives at
   * 64 KiB/s or more on average.
   */
  readonly bodyTimeoutMs: number;
}

/** Information about a request from `Deno.serve`; other servers may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be. */
  readonly completed?: Promise<void>;
}

/** A request, and everything that bounds its load. */
export interface Load extends BodyLimits {
  readonly request: Request;
  readonly info: ServeInfo | undefined;
  readonly budget: Budget;
  readonly scheduler: Scheduler;
  readonly deadlines: Deadlines;
}
