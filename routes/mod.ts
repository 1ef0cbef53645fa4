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

import {
  type FetchHandler,
  withCorsAndErrors,
  withRequestLog,
} from "../lib/http/middleware.ts";
import { createRouter, type Route } from "../lib/http/router.ts";
import { readTarget } from "../lib/http/target.ts";
import { Budget, getThreadBytes } from "../lib/load/budget.ts";
import { Deadlines } from "../lib/load/deadlines.ts";
import { Scheduler } from "../lib/load/scheduler.ts";
import { type BodyLimits, DEFAULT_SETTINGS } from "../lib/process/settings.ts";
import { base64 } from "./base64.ts";
import { hash } from "./hash.ts";
import { health } from "./health.ts";
import { json } from "./json.ts";
import { createMcp } from "./mcp.ts";
import { openapi } from "./openapi.ts";
import { password } from "./password.ts";
import { uuid } from "./uuid.ts";
import { index, parts } from "./web.ts";

export type { ServeInfo } from "../lib/load/load.ts";
export type { BodyLimits } from "../lib/process/settings.ts";
export type { FetchHandler } from "../lib/http/middleware.ts";

/**
 * Path of the health check, which does not count as a small request: load
 * balancers send it at intervals.
 */
const HEALTH_PATH = "/healthz";

/** All endpoints. A new endpoint is a module beside this one and a line here. */
// deno-fmt-ignore
export const ROUTES: readonly Route[] = [
  { pattern: path("/api/base64"),   method: "POST", handler: base64 },
  { pattern: path("/api/hash"),     method: "POST", handler: hash },
  { pattern: path("/api/uuid"),     method: "GET",  handler: uuid },
  { pattern: path("/api/password"), method: "GET",  handler: password },
  { pattern: path("/api/json"),     method: "POST", handler: json },
  { pattern: path(HEALTH_PATH),     method: "GET",  handler: health },
  { pattern: path("/mcp"),          method: "POST", handler: createMcp(() => ROUTES) },
  { pattern: path("/openapi.json"), method: "GET",  handler: openapi },
  { pattern: path("/"),             method: "GET",  handler: index },
  ...Object.entries(parts).map(([name, handler]) =>
    ({ pattern: path(`/${name}`), method: "GET" as const, handler })),
];

function path(pathname: string): URLPattern {
  return new URLPattern({ pathname });
}

/** Options of `createHandler()`. */
export interface HandlerOptions extends BodyLimits {
  /** Whether each request is logged. */
  readonly logRequests: boolean;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
  /**
   * Number of threads that serve, each with its own handler: at least 1. The
   * limit of memory is divided among them.
   */
  readonly threads: number;
}

/**
 * Makes the function that answers all requests, for `Deno.serve`. An option that is
 * left out has its default: 1 MiB for bodies, 10 seconds for their arrival, no request
 * log, one thread.
 */
export function createHandler(
  options: Partial<HandlerOptions> = {},
): FetchHandler {
  const { isStopping = () => false, threads = 1, ...settings } = {
    ...DEFAULT_SETTINGS,
    ...options,
  };
  const { maxBodyBytes, bodyTimeoutMs, logRequests } = settings;
  const dispatch = createRouter(ROUTES);
  const budget = new Budget(getThreadBytes(maxBodyBytes, threads));
  const scheduler = new Scheduler();
  const deadlines = new Deadlines(bodyTimeoutMs);
  const handler = withCorsAndErrors((request, info) => {
    const { path, query } = readTarget(request);
    // Whether a POST is small is known when its body has been received.
    if (request.method === "GET" && path !== HEALTH_PATH) {
      scheduler.noteSmallRequest();
    }
    return dispatch(request, {
      request,
      info,
      path,
      query,
      budget,
      scheduler,
      deadlines,
      maxBodyBytes,
      isStopping,
    });
  });
  return logRequests ? withRequestLog(handler) : handler;
}
