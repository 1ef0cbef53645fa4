/**
 * Wrappers of the handler of all requests: one adds the common headers and turns errors
 * into JSON, the other logs requests.
 */

import { HttpError } from "./http_error.ts";
import { type Answer, ENCODED, JSON_TYPE, toResponse } from "./answer.ts";
import { dropBody } from "./head.ts";
import { logError, logEvent } from "../system/log.ts";
import { formatValue } from "../values/format_value.ts";
import type { ServeInfo } from "./serve_info.ts";
import { readTarget } from "./target.ts";

/**
 * A function that answers one request. It throws, or its promise rejects, only if `console`
 * cannot write a line of the log. It may return a `Response` without a promise if requests
 * are not logged and the answer needs no wait.
 */
export type FetchHandler = (
  request: Request,
  info?: ServeInfo,
) => Response | Promise<Response>;

/**
 * Wraps the handler of all requests. Every response gets the headers that `toResponse()`
 * adds. An `HttpError` of the handler becomes a response with the error's status and
 * headers, and its message as JSON. Any other error becomes a 500, and its details are only
 * logged.
 */
export function withCorsAndErrors(
  handler: (request: Request, info?: ServeInfo) => Answer | Promise<Answer>,
): FetchHandler {
  return function answer(request, info) {
    try {
      const result = handler(request, info);
      return result instanceof Promise
        ? result.then(toResponse).catch((error) => answerError(error, request))
        : toResponse(result);
    } catch (error) {
      return answerError(error, request);
    }
  };
}

function answerError(
  error: unknown,
  request: Request,
): Response | Promise<Response> {
  if (!(error instanceof HttpError)) {
    logError("unexpected error", error);
    return answerError(new HttpError(500, "internal error"), request);
  }
  const { message, status, exposedHeaders } = error;
  const headers = { "content-type": JSON_TYPE, ...exposedHeaders };
  const response = toResponse(
    new Response(JSON.stringify({ error: message }), { status, headers }),
  );
  return request.method === "HEAD" ? dropBody(response) : response;
}

/**
 * Wraps a handler so that one line is logged for each request: method, path, status,
 * milliseconds until the response is ready, size of the response body in bytes, and a
 * random identifier, which the client gets as `X-Request-Id`. Queries, bodies and addresses
 * are never logged.
 */
export function withRequestLog(handler: FetchHandler): FetchHandler {
  return async function answer(request, info) {
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
