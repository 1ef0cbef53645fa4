/**
 * The routes of the service, and `createHandler()`, which creates a function from `Request`
 * to `Response` for `Deno.serve` or another server.
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
  checkBoolean,
  checkFunction,
  checkInteger,
  checkOptions,
} from "../lib/values/check.ts";
import { createRoute } from "../lib/http/endpoint.ts";
import { Connections } from "../lib/http/connections.ts";
import { Exchange } from "../lib/http/exchange.ts";
import type { Answer } from "../lib/http/answer.ts";
import type { ServeInfo } from "../lib/http/serve_info.ts";
import { answerHead } from "../lib/http/head.ts";
import {
  type FetchHandler,
  withCorsAndErrors,
  withRequestLog,
} from "../lib/http/middleware.ts";
import { createRouter, NO_BODY, type Route } from "../lib/http/router.ts";
import { readTarget } from "../lib/http/target.ts";
import {
  type BodyLimits,
  createLoadLimits,
  DEFAULT_BODY_LIMITS,
  MAX_BODY_LIMITS,
} from "../lib/load/load.ts";
import { doNotPause } from "../lib/operation/operation.ts";
import { skipByteOrderMark } from "../lib/values/utf8.ts";
import { createHealth } from "./health.ts";
import { mcp, respondToAgent } from "./mcp.ts";
import { openapi } from "./openapi.ts";
import { loadOperations } from "./operations.ts";
import { assets, page } from "./web.ts";

export type { ServeInfo } from "../lib/http/serve_info.ts";
export type { BodyLimits } from "../lib/load/load.ts";
export type { FetchHandler } from "../lib/http/middleware.ts";

const operations = await loadOperations();

/**
 * Creates the routes: one for each operation, for the health check, for agents, for the
 * OpenAPI description, for the web page, and for each file that the page loads.
 *
 * @internal
 */
// deno-fmt-ignore
export function createRoutes(
  { isStopping }: Pick<HandlerOptions, "isStopping">,
): Route[] {
  return [
    ...operations.map(createRoute),
    { pattern: path("/healthz"),      method: "GET",  handler: createHealth(isStopping) },
    { pattern: path("/mcp"),          method: "POST", handler: mcp, respond: respondToAgent },
    { pattern: path("/openapi.json"), method: "GET",  handler: openapi },
    { pattern: path("/"),             method: "GET",  handler: page },
    ...Object.entries(assets).map(([name, handler]) =>
      ({ pattern: path(`/${name}`),   method: "GET" as const, handler })),
  ];
}

/** Creates a pattern that matches URLs with this path, whatever their other parts. */
function path(pathname: string): URLPattern {
  return new URLPattern({ pathname });
}

/** Options of `createHandler()`, which has a default for each of them. */
export interface HandlerOptions extends BodyLimits {
  /** Whether one line is logged for each request; `false` by default. */
  readonly logRequests: boolean;
  /**
   * Returns whether the service is shutting down: if so, `/healthz` answers with status
   * 503. The default always returns `false`.
   */
  readonly isStopping: () => boolean;
  /**
   * Number of threads that serve, each with a handler of its own: at least 1, which is the
   * default. The memory for large requests and responses is divided among the threads, but
   * no thread gets less than a minimum.
   */
  readonly threads: number;
  /**
   * Whether no other code uses the bodies of the requests, so that their memory may be
   * freed before the garbage collector does it; `false` by default.
   */
  readonly ownsRequests: boolean;
}

/**
 * Creates the function that answers all requests to the service. By default, a request body
 * may have up to 1 MiB, and take up to 10 seconds to arrive, or longer if the body averages
 * 64 KiB/s or more.
 *
 * @throws {TypeError} if `options` or an option has a wrong type.
 * @throws {RangeError} if a number is not an integer within its bounds.
 */
export function createHandler(
  options: Partial<HandlerOptions> = {},
): FetchHandler {
  const all = readOptions(options);
  const findRoute = createRouter(createRoutes(all));
  const shared = {
    load: createLoadLimits(all),
    connections: new Connections(),
    ownsRequests: all.ownsRequests,
  };

  function answer(
    request: Request,
    info?: ServeInfo,
  ): Answer | Promise<Answer> {
    const { path, query } = readTarget(request);
    const route = findRoute(request, path);
    if (route instanceof Response) return route;
    if (route.method === "GET") return answerGet(route, request, query);

    const exchange = new Exchange(request, info, shared);
    const answering = exchange.answer((received, pause) => {
      const body = skipByteOrderMark(received);
      return route.handler({ request, query, body, pause });
    });
    return route.respond === undefined ? answering : route.respond(answering);
  }

  const handler = withCorsAndErrors(answer);
  return all.logRequests ? withRequestLog(handler) : handler;
}

function answerGet(
  { handler }: Route,
  request: Request,
  query: string,
): Answer | Promise<Answer> {
  const context = { request, query, body: NO_BODY, pause: doNotPause };
  const answer = handler(context);
  return request.method === "HEAD" ? answerHead(answer) : answer;
}

/** Checks the options, and adds the defaults of those that are not given. */
function readOptions(options: Partial<HandlerOptions>): HandlerOptions {
  checkOptions(options);
  const {
    maxBodyBytes = DEFAULT_BODY_LIMITS.maxBodyBytes,
    bodyTimeoutMs = DEFAULT_BODY_LIMITS.bodyTimeoutMs,
    threads = 1,
    isStopping = () => false,
    logRequests = false,
    ownsRequests = false,
  } = options;
  const { maxBodyBytes: maxBytes, bodyTimeoutMs: maxMs } = MAX_BODY_LIMITS;
  checkInteger("maxBodyBytes", maxBodyBytes, { min: 1, max: maxBytes });
  checkInteger("bodyTimeoutMs", bodyTimeoutMs, { min: 1, max: maxMs });
  checkInteger("threads", threads, { min: 1 });
  checkFunction("isStopping", isStopping);
  checkBoolean("logRequests", logRequests);
  checkBoolean("ownsRequests", ownsRequests);
  return {
    maxBodyBytes,
    bodyTimeoutMs,
    threads,
    isStopping,
    logRequests,
    ownsRequests,
  };
}
