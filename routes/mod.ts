/** The route map, and the handler made of it. */

import { type BodyLimits, createBodyReader } from "../lib/body.ts";
import {
  type FetchHandler,
  withCorsAndErrors,
  withRequestLog,
} from "../lib/middleware.ts";
import { createRouter, type Route } from "../lib/router.ts";
import { readTarget } from "../lib/target.ts";
import { base64 } from "./base64.ts";
import { hash } from "./hash.ts";
import { health } from "./health.ts";
import { json } from "./json.ts";
import { openapi } from "./openapi.ts";
import { password } from "./password.ts";
import { uuid } from "./uuid.ts";
import { index, scripts, stylesheet } from "./web.ts";

/** Every endpoint. A new one is a module beside this one and a line here. */
// deno-fmt-ignore
export const ROUTES: readonly Route[] = [
  { pattern: path("/api/base64"),   method: "POST", handler: base64 },
  { pattern: path("/api/hash"),     method: "POST", handler: hash },
  { pattern: path("/api/uuid"),     method: "GET",  handler: uuid },
  { pattern: path("/api/password"), method: "GET",  handler: password },
  { pattern: path("/api/json"),     method: "POST", handler: json },
  { pattern: path("/healthz"),      method: "GET",  handler: health },
  { pattern: path("/openapi.json"), method: "GET",  handler: openapi },
  { pattern: path("/"),             method: "GET",  handler: index },
  { pattern: path("/style.css"),    method: "GET",  handler: stylesheet },
  { pattern: path("/app.js"),       method: "GET",  handler: scripts.app },
  { pattern: path("/boxes.js"),     method: "GET",  handler: scripts.boxes },
  { pattern: path("/call.js"),      method: "GET",  handler: scripts.call },
  { pattern: path("/dom.js"),       method: "GET",  handler: scripts.dom },
  { pattern: path("/text.js"),      method: "GET",  handler: scripts.text },
  { pattern: path("/tool.js"),      method: "GET",  handler: scripts.tool },
  { pattern: path("/tools.js"),     method: "GET",  handler: scripts.tools },
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
  const { isStopping, logRequests, maxBodyBytes } = options;
  const handler = withCorsAndErrors((request) => {
    const { path, query } = readTarget(request);
    return dispatch(request, {
      path,
      query,
      readBody,
      maxBodyBytes,
      isStopping,
    });
  });
  return logRequests ? withRequestLog(handler) : handler;
}
