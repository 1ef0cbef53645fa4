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
import {
  type Admit,
  type BodyLimits,
  type Compute,
  DEFAULT_BODY_LIMITS,
  MAX_BODY_LIMITS,
  NO_BODY,
  type ServeInfo,
} from "../lib/http/body.ts";
import type { Answer } from "../lib/http/answer.ts";
import { createRoute } from "../lib/http/endpoint.ts";
import { limitBody } from "../lib/http/limit_body.ts";
import {
  type FetchHandler,
  withCorsAndErrors,
  withRequestLog,
} from "../lib/http/middleware.ts";
import {
  checkHost,
  createRouter,
  readTarget,
  type Route,
} from "../lib/http/router.ts";
import { doNotPause } from "../lib/operation/context.ts";
import { skipByteOrderMark } from "../lib/values/utf8.ts";
import { createDocs } from "./docs.ts";
import { createHealth } from "./health.ts";
import { mcp, respondToAgent } from "./mcp.ts";
import { openapi } from "./openapi.ts";
import { loadOperations } from "./operations.ts";
import { assets, page } from "./web.ts";

export type { Answer, JsonText } from "../lib/http/answer.ts";
export type {
  Admit,
  BodyLimits,
  Compute,
  ServeInfo,
} from "../lib/http/body.ts";
export type { FetchHandler } from "../lib/http/middleware.ts";
export type { Pause } from "../lib/operation/context.ts";
export type { Bytes } from "../lib/values/buffer.ts";

const operations = await loadOperations();

/**
 * Creates the routes: one for each operation, for the health check, for agents, for the
 * OpenAPI description, for its reference, for the web page, and for each file that the page
 * loads.
 *
 * @internal
 */
// deno-fmt-ignore
export function createRoutes(
  { maxBodyBytes, isStopping }: Pick<HandlerOptions, "maxBodyBytes" | "isStopping">,
): Route[] {
  return [
    ...operations.map(createRoute),
    { pattern: path("/healthz"),      method: "GET",  handler: createHealth(isStopping) },
    { pattern: path("/mcp"),          method: "POST", handler: mcp, respond: respondToAgent },
    { pattern: path("/openapi.json"), method: "GET",  handler: openapi },
    { pattern: path("/docs"),         method: "GET",  handler: createDocs(maxBodyBytes) },
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
   * Receives the body of each POST, and lets the answer be computed. The default keeps
   * `maxBodyBytes` and `bodyTimeoutMs`, and no state between requests; another function has
   * to limit bodies itself.
   */
  readonly admit: Admit;
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
  const all = completeOptions(options);
  const { admit } = all;
  const findRoute = createRouter(createRoutes(all));

  function answer(
    request: Request,
    info?: ServeInfo,
  ): Answer | Promise<Answer> {
    checkHost(request);
    const { path, query } = readTarget(request);
    const route = findRoute(request, path);
    if (route instanceof Response) return route;
    const { method, handler, respond } = route;
    if (method === "GET") {
      return handler({ request, query, body: NO_BODY, pause: doNotPause });
    }
    const compute: Compute = (received, pause) => {
      const body = skipByteOrderMark(received);
      return handler({ request, query, body, pause });
    };
    if (respond === undefined) return admit(request, info, compute);
    // `Promise.try()` turns an error that `admit()` throws into one that `respond()` gets.
    return respond(Promise.try(admit, request, info, compute));
  }

  const handler = withCorsAndErrors(answer);
  return all.logRequests ? withRequestLog(handler) : handler;
}

/** Checks the options, and adds the defaults of those that are not given. */
function completeOptions(options: Partial<HandlerOptions>): HandlerOptions {
  checkOptions(options);
  const {
    maxBodyBytes = DEFAULT_BODY_LIMITS.maxBodyBytes,
    bodyTimeoutMs = DEFAULT_BODY_LIMITS.bodyTimeoutMs,
    isStopping = () => false,
    logRequests = false,
    admit = limitBody({ maxBodyBytes, bodyTimeoutMs }),
  } = options;
  const { maxBodyBytes: maxBytes, bodyTimeoutMs: maxMs } = MAX_BODY_LIMITS;
  checkInteger("maxBodyBytes", maxBodyBytes, { min: 1, max: maxBytes });
  checkInteger("bodyTimeoutMs", bodyTimeoutMs, { min: 1, max: maxMs });
  checkFunction("isStopping", isStopping);
  checkBoolean("logRequests", logRequests);
  checkFunction("admit", admit);
  return { maxBodyBytes, bodyTimeoutMs, isStopping, logRequests, admit };
}
