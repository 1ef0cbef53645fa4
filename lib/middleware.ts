/** What every response owes, so that no handler has to know of it. */

import { HttpError } from "./errors.ts";
import { logError, logEvent } from "./log.ts";
import { splitUrl } from "./target.ts";

/** Answers one request and never throws. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** How long a browser may keep a preflight's answer, in seconds: one day. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/**
 * Wraps a handler so that what it throws becomes a JSON error: an `HttpError`
 * with its own status and message, anything else as a 500 whose details go to
 * the log only.
 */
export function withJsonErrors(
  handler: (request: Request) => Response | Promise<Response>,
): FetchHandler {
  return async function answer(request) {
    try {
      return await handler(request);
    } catch (error) {
      if (error instanceof HttpError) {
        const { message, status, headers } = error;
        return Response.json({ error: message }, { status, headers });
      }
      logError("unexpected error", error);
      return Response.json({ error: "internal error" }, { status: 500 });
    }
  };
}

/**
 * Wraps a handler so that every answer can be read from any origin and is
 * neither sniffed nor, unless it says otherwise, stored. An answer to OPTIONS
 * becomes a CORS preflight's for the methods in its `Allow`
 * (Fetch standard, section "HTTP extensions").
 */
export function withCors(handler: FetchHandler): FetchHandler {
  return async function answer(request) {
    const response = await handler(request);
    // Set in place: a copy of the response costs a tenth of the throughput.
    const { headers } = response;
    headers.set("access-control-allow-origin", "*");
    headers.set("x-content-type-options", "nosniff");
    if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
    if (request.method === "OPTIONS") addPreflight(headers, request);
    return response;
  };
}

function addPreflight(headers: Headers, request: Request): void {
  const methods = headers.get("allow");
  if (methods === null) return;
  headers.set("access-control-allow-methods", methods);
  headers.set("access-control-max-age", PREFLIGHT_MAX_AGE_SECONDS);
  headers.set("vary", "access-control-request-headers");
  const asked = request.headers.get("access-control-request-headers");
  if (asked) headers.set("access-control-allow-headers", asked);
}

/** Longest path in the log, in UTF-16 code units. */
const MAX_LOGGED_PATH = 200;

/**
 * Wraps a handler so that each request leaves a line in the log: method, path,
 * status, milliseconds, bytes of the answer's body, and an identifier that the
 * client finds in `X-Request-Id`. Never a query, a body or an address.
 */
export function withRequestLog(handler: FetchHandler): FetchHandler {
  return async function answer(request) {
    const start = performance.now();
    const response = await handler(request);
    const milliseconds = (performance.now() - start).toFixed(1);
    const id = crypto.randomUUID();
    response.headers.set("x-request-id", id);
    const path = splitUrl(request.url).path.slice(0, MAX_LOGGED_PATH);
    const bytes = await measureBody(response);
    logEvent(
      `${request.method} ${path} ${response.status} ${milliseconds} ms ${bytes} bytes ${id}`,
    );
    return response;
  };
}

async function measureBody(response: Response): Promise<number> {
  const length = response.headers.get("content-length");
  if (length !== null) return Number(length);
  return (await response.clone().bytes()).byteLength;
}
