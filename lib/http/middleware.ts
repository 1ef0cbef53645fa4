/** Middleware that creates all responses, and middleware that logs requests. */

import { logEvent } from "../log.ts";
import { formatValue } from "../format_value.ts";
import {
  dropBody,
  ENCODED,
  type HandlerResult,
  JSON_TYPE,
  toHttpError,
  toPayload,
  toResponse,
} from "./response.ts";
import type { ServeInfo } from "./body.ts";
import { readTarget } from "./router.ts";

/**
 * Handles one request. It never throws, and its promise never rejects. Without request logging,
 * the handler can return a `Response` synchronously.
 */
export type FetchHandler = (
  request: Request,
  info?: ServeInfo,
) => Response | Promise<Response>;

/** Response headers that scripts from other origins can read. */
const EXPOSED = ["allow", "retry-after", "etag"];

/** How long browsers can cache a preflight response. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/**
 * Creates the responses. Errors become JSON, scripts from other origins can read every response,
 * and clients cache a response only if the handler sets `Cache-Control`.
 */
export function withCorsAndErrors(
  handler: (
    request: Request,
    info?: ServeInfo,
  ) => HandlerResult | Promise<HandlerResult>,
): FetchHandler {
  return function respond(request, info) {
    try {
      const result = handler(request, info);
      return result instanceof Promise
        ? respondLater(request, result)
        : createResponse(request, result);
    } catch (error) {
      return createResponse(request, toErrorResponse(error));
    }
  };
}

async function respondLater(
  request: Request,
  pending: Promise<HandlerResult>,
): Promise<Response> {
  try {
    const response = createResponse(request, await pending);
    return response instanceof Promise ? await response : response;
  } catch (error) {
    return createResponse(request, toErrorResponse(error));
  }
}

function toErrorResponse(error: unknown): Response {
  const { message, status, headers } = toHttpError(error);
  return new Response(toPayload({ error: message }), {
    status,
    headers: { "content-type": JSON_TYPE, ...headers },
  });
}

function createResponse(
  request: Request,
  result: HandlerResult,
): Response | Promise<Response> {
  const response = toResponse(result);
  const { headers } = response;
  headers.set("access-control-allow-origin", "*");
  headers.set("x-content-type-options", "nosniff");
  if (result instanceof Response) completeHeaders(request, headers);
  else headers.set("cache-control", "no-store");
  return request.method === "HEAD" ? dropBody(response) : response;
}

function completeHeaders(request: Request, headers: Headers): void {
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  const exposed = EXPOSED.filter((name) => headers.has(name));
  if (exposed.length > 0) {
    headers.set("access-control-expose-headers", exposed.join(", "));
  }
  if (request.method === "OPTIONS") permitAll(request, headers);
}

/** Lets scripts from other origins use the path's methods and any header (CORS preflight). */
function permitAll(request: Request, headers: Headers): void {
  headers.set("access-control-allow-methods", headers.get("allow") ?? "");
  headers.set("access-control-max-age", PREFLIGHT_MAX_AGE_SECONDS);
  headers.set("vary", "access-control-request-headers");
  const requested = request.headers.get("access-control-request-headers");
  if (requested) headers.set("access-control-allow-headers", requested);
}

/**
 * Logs one line for each request: method, path, status, milliseconds until the response is
 * ready, response body size, and a random identifier, which is also sent as `X-Request-Id`.
 * Queries, bodies, and IP addresses are never logged.
 */
export function withRequestLog(handler: FetchHandler): FetchHandler {
  return async function handle(request, info) {
    const start = performance.now();
    const { response, bytes } = await measureBody(await handler(request, info));
    const milliseconds = (performance.now() - start).toFixed(1);
    const id = crypto.randomUUID();
    const { headers } = response;
    headers.set("x-request-id", id);
    headers.append("access-control-expose-headers", "x-request-id");
    const method = formatValue(request.method);
    const path = formatValue(readTarget(request).path);
    logEvent(
      `${method} ${path} ${response.status} ${milliseconds} ms ${bytes} bytes ${id}`,
    );
    return response;
  };
}

/** Returns the size of a response body in bytes, and the response to send. */
async function measureBody(
  response: Response,
): Promise<{ readonly response: Response; readonly bytes: number }> {
  const { body, status, headers } = response;
  // A response to HEAD has the `Content-Length` of the response to GET, but no body.
  if (body === null) return { response, bytes: 0 };
  // The service itself sets this header.
  const length = headers.get("content-length");
  if (length !== null) return { response, bytes: Number(length) };
  // Deno doesn't add `Content-Length` to a response that was created from a stream.
  const copy = await response.bytes();
  const measured = new Response(copy, { status, headers, ...ENCODED });
  return { response: measured, bytes: copy.byteLength };
}
