/**
 * Wrappers of the handler of all requests: one makes the responses, with the headers that
 * all have, the other logs requests.
 */

import { logEvent } from "../process/log.ts";
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
 * Handles one request without throwing; its promise never rejects. Without request logging,
 * the handler can return a `Response` synchronously.
 */
export type FetchHandler = (
  request: Request,
  info?: ServeInfo,
) => Response | Promise<Response>;

/**
 * Headers of responses that scripts of other origins can read, if
 * `Access-Control-Expose-Headers` lists them (Fetch standard, "CORS protocol").
 */
const EXPOSED = ["allow", "retry-after", "etag"];

/** Time for which a browser may cache the response to a preflight, in seconds: one day. */
const PREFLIGHT_MAX_AGE_SECONDS = "86400";

/**
 * Wraps the handler of all requests, and creates the responses. An error of the handler
 * becomes a response with the status and headers of its `toHttpError()`, and its message as
 * JSON. Scripts of other origins can read every response. Responses aren't cached unless they
 * have a `Cache-Control` header. A response to HEAD gets no body.
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
    // Awaits only what is a promise: an `await` takes time.
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

/** Creates the response for a result. */
function createResponse(
  request: Request,
  result: HandlerResult,
): Response | Promise<Response> {
  const response = toResponse(result);
  const { headers } = response;
  headers.set("access-control-allow-origin", "*");
  headers.set("x-content-type-options", "nosniff");
  // Any other result has no header yet that matters here.
  if (result instanceof Response) completeHeaders(request, headers);
  else headers.set("cache-control", "no-store");
  return request.method === "HEAD" ? dropBody(response) : response;
}

/** Adds the headers that depend on those that a response has already. */
function completeHeaders(request: Request, headers: Headers): void {
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  const exposed = EXPOSED.filter((name) => headers.has(name));
  if (exposed.length > 0) {
    headers.set("access-control-expose-headers", exposed.join(", "));
  }
  if (request.method === "OPTIONS") permitAll(request, headers);
}

/**
 * Answers the question of a browser whether a script of another origin may send a request
 * (a CORS preflight): with the methods that the response allows, and all headers.
 */
function permitAll(request: Request, headers: Headers): void {
  headers.set("access-control-allow-methods", headers.get("allow") ?? "");
  headers.set("access-control-max-age", PREFLIGHT_MAX_AGE_SECONDS);
  headers.set("vary", "access-control-request-headers");
  const asked = request.headers.get("access-control-request-headers");
  if (asked) headers.set("access-control-allow-headers", asked);
}

/**
 * Wraps a handler so that one line is logged for each request: method, path, status,
 * milliseconds until the response is ready, size of the response body in bytes, and a
 * random identifier, which the client gets as `X-Request-Id`. Queries, bodies and addresses
 * are never logged.
 */
export function withRequestLog(handler: FetchHandler): FetchHandler {
  return async function handle(request, info) {
    const start = performance.now();
    const { response, bytes } = await measureBody(await handler(request, info));
    const milliseconds = (performance.now() - start).toFixed(1);
    const id = crypto.randomUUID();
    response.headers.set("x-request-id", id);
    response.headers.append(
      "access-control-expose-headers",
      "x-request-id",
    );
    const method = formatValue(request.method);
    const path = formatValue(readTarget(request).path);
    logEvent(
      `${method} ${path} ${response.status} ${milliseconds} ms ${bytes} bytes ${id}`,
    );
    return response;
  };
}

/**
 * Returns the size of a response's body in bytes, and the response to send. If the size is
 * not known, the body is read, and the response to send is a new one with the same body.
 */
async function measureBody(
  response: Response,
): Promise<{ readonly response: Response; readonly bytes: number }> {
  const { body, status, headers } = response;
  // The response to HEAD has the `Content-Length` of the response to GET, but no bytes.
  if (body === null) return { response, bytes: 0 };
  const length = headers.get("content-length");
  if (length !== null) return { response, bytes: Number(length) };
  // The new response is created from bytes, since Deno adds no `Content-Length` to one that
  // is created from a stream.
  const copy = await response.bytes();
  const measured = new Response(copy, { status, headers, ...ENCODED });
  return { response: measured, bytes: copy.byteLength };
}
