import type { Budget } from "./budget.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Scheduler } from "./scheduler.ts";

/** Information about a request from `Deno.serve`; other servers may give less. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be. */
  readonly completed?: Promise<void>;
}

/** A request, and everything that bounds its load. */
export interface Load {
  readonly request: Request;
  readonly info: ServeInfo | undefined;
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  readonly budget: Budget;
  readonly deadlines: Deadlines;
  readonly scheduler: Scheduler;
}
