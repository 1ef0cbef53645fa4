/** The handlers of the library and the service, which run requests with bodies differently. */

import { DEFAULT_BODY_LIMITS } from "../lib/http/body.ts";
import { createRequestHandler } from "../lib/http/handler.ts";
import { createAdmissionControl } from "../lib/load/mod.ts";
import { createRoutes } from "../routes/map.ts";
import {
  createHandler,
  type FetchHandler,
  type HandlerOptions,
} from "../routes/mod.ts";

/** The handler of a thread of the service. `shutdown` aborts when it shuts down. */
export function createServiceHandler(
  options: Partial<HandlerOptions> = {},
  { signal: shutdown } = new AbortController(),
): FetchHandler {
  const limits = { ...DEFAULT_BODY_LIMITS, ...options };
  const isShuttingDown = () => shutdown.aborted;
  return createRequestHandler({
    routes: createRoutes({ ...limits, isShuttingDown }),
    runWithBody: createAdmissionControl({ ...limits, shutdown }),
    logRequests: false,
  });
}

type CreateHandler = (options?: Partial<HandlerOptions>) => FetchHandler;

/** Without and with admission control. */
const WAYS: Readonly<Record<string, CreateHandler>> = {
  "the library": createHandler,
  "the service": createServiceHandler,
};

/** Registers a test of the library and the service. */
export function testBothWays(
  name: string,
  fn: (create: CreateHandler, t: Deno.TestContext) => Promise<void>,
): void {
  for (const [way, create] of Object.entries(WAYS)) {
    Deno.test(`${way}: ${name}`, (t) => fn(create, t));
  }
}
