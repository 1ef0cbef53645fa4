/** The route map, and the handler made of it. */

import { type BodyLimits, createBodyReader } from "../lib/http/body.ts";
import {
  type FetchHandler,
  withCorsAndErrors,
  withRequestLog,
} from "../lib/http/middleware.ts";
import { createRouter, type Route } from "../lib/http/router.ts";
import { readTarget } from "../lib/http/target.ts";
import { base64 } from "./base64.ts";
import { hash } from "./hash.ts";
import { health } from "./health.ts";
import { json } from "./json.ts";
import { createMcp } from "./mcp.ts";
import { openapi } from "./openapi.ts";
import { password } from "./password.ts";
import { uuid } from "./uuid.ts";
import { index, script, stylesheet } from "./web.ts";

/** Every endpoint. A new one is a module beside this one and a line here. */
// deno-fmt-ignore
export const ROUTES: readonly Route[] = [
  { pattern: path("/api/base64"),   method: "POST", handler: base64 },
  { pattern: path("/api/hash"),     method: "POST", handler: hash },
  { pattern: path("/api/uuid"),     method: "GET",  handler: uuid },
  { pattern: path("/api/password"), method: "GET",  handler: password },
  { pattern: path("/api/json"),     method: "POST", handler: json },
  { pattern: path("/healthz"),      method: "GET",  handler: health },
  { pattern: path("/mcp"),          method: "POST", handler: createMcp(() => ROUTES) },
  { pattern: path("/openapi.json"), method: "GET",  handler: openapi },
  { pattern: path("/"),             method: "GET",  handler: index },
  { pattern: path("/style.css"),    method: "GET",  handler: stylesheet },
  { pattern: path("/app.js"),       method: "GET",  handler: script },
];

function path(pathname: string): URLPattern {
  return new URLPattern({ pathname });
}

/** What the handler needs to know of the process it runs in. */
export interface HandlerOptions extends BodyLimits {
  /** Whether each request is logged. */
  readonly logRequests: boolean;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

/** Makes the function that answers every request, for `Deno.serve`. */
export function createHandler(options: HandlerOptions): FetchHandler {
  const dispatch = createRouter(ROUTES);
  const readBody = createBodyReader(options);
  const { isStopping, logRequests } = options;
  const handler = withCorsAndErrors((request) => {
    const { path, query } = readTarget(request);
    return dispatch(request, { path, query, readBody, isStopping });
  });
  return logRequests ? withRequestLog(handler) : handler;
}
