/** Handlers, each with one of the two ways to receive bodies. */

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

type CreateHandler = typeof createHandler;

/** The ways to receive bodies: each for itself, and with the limits of a thread. */
const WAYS: Readonly<Record<string, CreateHandler>> = {
  "the library": createHandler,
  "the service": createSmallHandler,
};

/** Registers a test of a promise that both ways to receive bodies keep. */
export function testBothWays(
  name: string,
  fn: (create: CreateHandler, t: Deno.TestContext) => Promise<void>,
): void {
  for (const [way, create] of Object.entries(WAYS)) {
    Deno.test(`${way}: ${name}`, (t) => fn(create, t));
  }
}
