/** The values that handlers return and throw, and the responses created from them. */

import type { Bytes } from "../buffer.ts";
import { InputError, UnsupportedError } from "../operation/input_error.ts";
import { logError } from "../process/log.ts";

/** JSON, as a string or as UTF-8. */
export type JsonText = string | Bytes;

/**
 * What a handler returns. An object is sent as JSON followed by a newline, JSON text is sent
 * unchanged, both with status 200. A `Response` is sent with its own status and body.
 */
export type HandlerResult = object | JsonText | Response;

export function isJsonText(result: HandlerResult): result is JsonText {
  return typeof result === "string" || result instanceof Uint8Array;
}

/**
 * `Content-Type` of JSON, except in responses to `POST /mcp`. RFC 8259 needs no charset,
 * but Windows PowerShell 5.1 reads JSON without a charset as Latin-1.
 */
export const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Option of `new Response()` for a body that may already be compressed: tells workerd (the
 * runtime of Cloudflare Workers) not to compress it again. Other runtimes ignore it.
 */
export const ENCODED = { encodeBody: "manual" };

/** Returns the JSON text of an object, followed by a newline, or JSON text unchanged. */
export function toPayload(
  result: Exclude<HandlerResult, Response>,
): JsonText {
  return isJsonText(result) ? result : `${JSON.stringify(result)}\n`;
}

/** Converts a result to a response, whose headers can be changed. */
export function toResponse(result: HandlerResult): Response {
  if (result instanceof Response) return result;
  const response = new Response(toPayload(result));
  // Faster than `headers` in the options of the constructor.
  response.headers.set("content-type", JSON_TYPE);
  return response;
}

/**
 * Returns a response without its body, for a HEAD request (RFC 9110, section 9.3.2), with
 * the length of the body as `Content-Length`. Over HTTP/1.1, Deno itself removes the body
 * of a response to HEAD, but over HTTP/2 it sends the body, which RFC 9113 forbids (section
 * 8.1.1).
 */
export async function dropBody(response: Response): Promise<Response> {
  // Responses with status 204 or 304 have no body, and need no `Content-Length`.
  if (response.body === null) return response;
  const { status, headers } = response;
  const { byteLength } = await response.bytes();
  headers.set("content-length", String(byteLength));
  return new Response(null, { status, headers });
}

/** An error whose HTTP status, message and headers are sent to the client. */
export class HttpError extends Error {
  override name = "HttpError";

  /**
   * @param status HTTP status of the response, 400 to 599.
   * @param message Message for the client. A message about a field, parameter or header
   * gives its name, its valid values, and the value received.
   * @param headers Additional headers of the response, with lowercase names.
   */
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The error for a request that gets no slot in time, or stalls while others wait: 503. */
export function createBusyError(): HttpError {
  return createRetryError("too many large requests are in progress");
}

/** The error for a request that cannot be completed because the service shuts down: 503. */
export function createShutdownError(): HttpError {
  return createRetryError("the service is shutting down");
}

function createRetryError(cause: string): HttpError {
  const message = `${cause}, please try again`;
  return new HttpError(503, message, { "retry-after": "1" });
}

/**
 * Converts any error to an `HttpError`: an `InputError` to 400 or 501. An unexpected error
 * becomes a 500, and its details are only logged.
 */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InputError) {
    const status = error instanceof UnsupportedError ? 501 : 400;
    return new HttpError(status, error.message);
  }
  logError("unexpected error", error);
  return new HttpError(500, "internal error");
}
