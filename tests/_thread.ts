/** A thread of the program, whose large requests share little memory. */

import { type Admit, DEFAULT_BODY_LIMITS } from "../lib/http/body.ts";
import { createAdmission } from "../lib/load/mod.ts";
import {
  createHandler,
  type FetchHandler,
  type HandlerOptions,
} from "../routes/mod.ts";

/** The limits of one of 64 threads: 6 MiB for bodies, and 8 MiB for results. */
export function createSmallAdmission(
  options: Partial<HandlerOptions> = {},
): Admit {
  const isStopping = () => false;
  const isEnding = () => false;
  const defaults = { ...DEFAULT_BODY_LIMITS, isStopping, isEnding };
  return createAdmission({ ...defaults, ...options, threads: 64 });
}

/** The handler of one of 64 threads. */
export function createSmallHandler(
  options: Partial<HandlerOptions> = {},
): FetchHandler {
  return createHandler({ ...options, admit: createSmallAdmission(options) });
}
