/**
 * The service as a function from `Request` to `Response`, for `Deno.serve` or another server.
 *
 * ```ts
 * import { createHandler } from "@devutils/service";
 *
 * const handler = createHandler({ maxBodyBytes: 65_536 });
 * const response = await handler(new Request("http://localhost/api/uuid"));
 * console.log(response.status); // 200
 * ```
 *
 * @module
 */

import { checkInteger, checkOptions, checkType } from "../lib/check.ts";
import {
  type BodyLimits,
  DEFAULT_BODY_LIMITS,
  MAX_BODY_LIMITS,
} from "../lib/http/body.ts";
import { createRequestHandler } from "../lib/http/handler.ts";
import type { FetchHandler } from "../lib/http/middleware.ts";
import { createBodyLimiter } from "../lib/http/read_body.ts";
import { createRoutes, type RouteOptions } from "./map.ts";

export type { BodyLimits, ServeInfo } from "../lib/http/body.ts";
export type { FetchHandler } from "../lib/http/middleware.ts";
export type { RouteOptions } from "./map.ts";

/** Options for `createHandler()`. */
export interface HandlerOptions extends BodyLimits, RouteOptions {
  /** Whether to log each request. The default is `false`. */
  readonly logRequests: boolean;
}

/**
 * Creates the function that handles all requests. By default, a request body can be at most
 * 1 MiB. It must arrive within 10 seconds, or at a rate of at least 64 KiB/s.
 *
 * @throws {TypeError} if `options` or an option has an invalid type.
 * @throws {RangeError} if a numeric option is not an integer within its bounds.
 */
export function createHandler(
  options: Partial<HandlerOptions> = {},
): FetchHandler {
  checkOptions(options);
  const {
    maxBodyBytes = DEFAULT_BODY_LIMITS.maxBodyBytes,
    bodyTimeoutMs = DEFAULT_BODY_LIMITS.bodyTimeoutMs,
    isShuttingDown = () => false,
    logRequests = false,
  } = options;
  const { maxBodyBytes: maxBytes, bodyTimeoutMs: maxMs } = MAX_BODY_LIMITS;
  checkInteger("maxBodyBytes", maxBodyBytes, { min: 1, max: maxBytes });
  checkInteger("bodyTimeoutMs", bodyTimeoutMs, { min: 1, max: maxMs });
  checkType("isShuttingDown", isShuttingDown, "function");
  checkType("logRequests", logRequests, "boolean");
  return createRequestHandler({
    routes: createRoutes({ maxBodyBytes, isShuttingDown }),
    runWithBody: createBodyLimiter({ maxBodyBytes, bodyTimeoutMs }),
    logRequests,
  });
}
