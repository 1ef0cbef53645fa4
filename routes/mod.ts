/**
 * The route map and `createHandler()`, which makes a function from `Request` to
 * `Response` for `Deno.serve` or another server.
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

import { checkNumber } from "../lib/check.ts";
import {
  type FetchHandler,
  withCorsAndErrors,
  withRequestLog,
} from "../lib/http/middleware.ts";
import { type Context, createRouter, type Route } from "../lib/http/router.ts";
import { readTarget } from "../lib/http/target.ts";
import {
  type BodyLimits,
  DEFAULT_BODY_LIMITS,
} from "../lib/load/body_limits.ts";
import { computeLimits } from "../lib/load/limits.ts";
import { endTurn, Load } from "../lib/load/load.ts";
import { health } from "./health.ts";
import { createMcp } from "./mcp.ts";
import { openapi } from "./openapi.ts";
import { OPERATIONS, path } from "./operations.ts";
import { index, parts } from "./web.ts";

export type { ServeInfo } from "../lib/load/load.ts";
export type { BodyLimits } from "../lib/load/body_limits.ts";
export type { FetchHandler } from "../lib/http/middleware.ts";

/**
 * Path of the health check. Any other small request causes pauses in the work on large
 * requests, so that further small requests are answered soon. Health checks cause none:
 * load balancers send them all the time, and the pauses would slow large requests.
 */
const HEALTH_PATH = "/healthz";

/**
 * All endpoints: the operations, and those for load balancers, agents, programmers and
 * browsers.
 */
// deno-fmt-ignore
export const ROUTES: readonly Route[] = [
  ...OPERATIONS,
  { pattern: path(HEALTH_PATH),     method: "GET",  handler: health },
  { pattern: path("/mcp"),          method: "POST", handler: createMcp(() => ROUTES) },
  { pattern: path("/openapi.json"), method: "GET",  handler: openapi },
  { pattern: path("/"),             method: "GET",  handler: index },
  ...Object.entries(parts).map(([name, handler]) =>
    ({ pattern: path(`/${name}`), method: "GET" as const, handler })),
];

/** Options of `createHandler()`. */
export interface HandlerOptions extends BodyLimits {
  /** Whether each request is logged. */
  readonly logRequests: boolean;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
  /**
   * Number of threads that serve, each with a handler of its own: at least 1. The memory
   * for large requests is divided among them.
   */
  readonly threads: number;
  /**
   * Whether the memory of a large result is freed once `info.completed` resolves. Then
   * nothing else may read the body of a response, such as a branch of `tee()`.
   */
  readonly freesResults: boolean;
}

/**
 * Makes the function that answers all requests, for `Deno.serve`. By default, a request
 * body may be 1 MiB large and take 10 seconds to arrive, requests are not logged, and one
 * thread serves.
 *
 * @throws {TypeError} if an option that must be a number has another type.
 */
export function createHandler(
  options: Partial<HandlerOptions> = {},
): FetchHandler {
  const { isStopping = () => false, threads = 1, logRequests = false } =
    options;
  const { maxBodyBytes, bodyTimeoutMs } = {
    ...DEFAULT_BODY_LIMITS,
    ...options,
  };
  checkNumber("maxBodyBytes", maxBodyBytes);
  checkNumber("bodyTimeoutMs", bodyTimeoutMs);
  checkNumber("threads", threads);
  const dispatch = createRouter(ROUTES);
  const load = new Load({
    limits: computeLimits(maxBodyBytes, threads),
    maxBodyBytes,
    bodyTimeoutMs,
    isStopping,
    freesResults: options.freesResults === true,
  });
  const handler = withCorsAndErrors((request, info) => {
    const { path, query } = readTarget(request);
    // The scheduler is told of each small request, except health checks. GET requests are
    // always small. Whether a POST request is small is known only when its body has been
    // received.
    if (request.method === "GET" && path !== HEALTH_PATH) {
      load.scheduler.noteSmallRequest();
    }
    const context: Context = { request, info, path, query, load, isStopping };
    const response = dispatch(request, context);
    return context.large === undefined ? response : endTurn(context, response);
  });
  return logRequests ? withRequestLog(handler) : handler;
}
