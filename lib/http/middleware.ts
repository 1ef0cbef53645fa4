/** What every response owes, so that no handler has to know of it. */

import type { ServeInfo } from "../load/body.ts";
import { HttpError } from "../http_error.ts";
import { dropBody } from "./head.ts";
import { logError, logEvent } from "../log.ts";
import { describe } from "../quote.ts";
import { splitUrl } from "./target.ts";

/**
 * Answers one request, at once where nothing has to be waited for (a promise
 * costs time even when it is kept already). Never throws, never rejects.
 */
export type FetchHandler = (
  request: Request,
  info?: ServeInfo,
) => Response | Promise<Response>;

/** What every answer carries. */
const COMMON_HEADERS = [
  ["access-control-allow-origin", "*"],
  ["x-content-type-options", "nosniff"],
] as const;

/** How long an answer may be stored, where its handler does not say so. */
const DEFAULT_CACHE_CONTROL = "no-store";

const EXPOSE = "access-control-expose-headers";

const ERROR_HEADERS = {
  ...Object.fromEntries(COMMON_HEADERS),
  "cache-control": DEFAULT_CACHE_CONTROL,
};

/** What scripts of other origins are shown only if it is exposed, where an error has it. */
const EXPOSED_HEADERS = ["allow", "retry-after"];

/**
 * Wraps a handler so that every answer can be read from any origin and is
 * neither sniffed nor, unless it says otherwise, stored, and so that what the
 * handler throws becomes a JSON error: an `HttpError` with its own status and
 * message, anything else as a 500 whose details go to the log only.
 */
export function withCorsAndErrors(
  handler: FetchHandler,
): FetchHandler {
  return function answer(request, info) {
    try {
      const response = handler(request, info);
      return response instanceof Promise
        ? response.then(addHeaders, (error) => answerError(error, request))
        : addHeaders(response);
    } catch (error) {
      return answerError(error, request);
    }
  };
}

/** Sets headers in place: a copy of the response costs a tenth of the throughput. */
function addHeaders(response: Response): Response {
  // The headers of `Response.redirect()` cannot be changed.
  if (response.status > 300 && response.status < 400) {
    response = new Response(response.body, response);
  }
  const { headers } = response;
  for (const [name, value] of COMMON_HEADERS) headers.set(name, value);
  if (!headers.has("cache-control")) {
    headers.set("cache-control", DEFAULT_CACHE_CONTROL);
  }
  return response;
}

function answerError(
  error: unknown,
  request: Request,
): Response | Promise<Response> {
  if (!(error instanceof HttpError)) {
    logError("unexpected error", error);
    return answerError(new HttpError(500, "internal error"), request);
  }
  const { message, status, headers } = error;
  const exposed = EXPOSED_HEADERS.filter((name) => name in headers);
  const response = Response.json({ error: message }, {
    status,
    // All at once: to set more of them afterwards costs a tenth of the time.
    headers: exposed.length === 0
      ? { ...ERROR_HEADERS, ...headers }
      : { ...ERROR_HEADERS, ...headers, [EXPOSE]: exposed.join(", ") },
  });
  return request.method === "HEAD" ? dropBody(response) : response;
}

/**
 * Wraps a handler so that each request leaves a line in the log: method and path,
 * quoted and shortened as in error messages, status, milliseconds, bytes of the
 * response's body, and an identifier that the client finds in `X-Request-Id`. Never
 * a query, a body or an address.
 */
export function withRequestLog(handler: FetchHandler): FetchHandler {
  return async function answer(request, info) {
    const start = performance.now();
    const response = await handler(request, info);
    const milliseconds = (performance.now() - start).toFixed(1);
    const id = crypto.randomUUID();
    response.headers.set("x-request-id", id);
    response.headers.append(EXPOSE, "x-request-id");
    const method = describe(request.method);
    const path = describe(splitUrl(request.url).path);
    const bytes = await measureBody(response);
    logEvent(
      `${method} ${path} ${response.status} ${milliseconds} ms ${bytes} bytes ${id}`,
    );
    return response;
  };
}

async function measureBody(response: Response): Promise<number> {
  // An answer to HEAD tells the length of a body that it does not have.
  if (response.body === null) return 0;
  const length = response.headers.get("content-length");
  if (length !== null) return Number(length);
  return (await response.clone().bytes()).byteLength;
}
