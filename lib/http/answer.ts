/** The values that handlers return and throw, and the responses and errors made of them. */

import { InputError, UnsupportedError } from "../operation/input_error.ts";
import { LoadError } from "../operation/context.ts";
import { logError } from "../system/log.ts";
import type { Bytes } from "../values/buffer.ts";
import { createTypeError } from "../values/check.ts";

/**
 * The answer to a request. An object is sent as JSON with a line feed after it, and a JSON
 * text unchanged, both with status 200. A `Response` is sent with its own status and body.
 */
export type Answer = object | JsonText | Response;

/** A JSON text, or its UTF-8 bytes. */
export type JsonText = string | Bytes;

/**
 * `Content-Type` of JSON, except in responses to `POST /mcp`. RFC 8259 needs no charset,
 * but Windows PowerShell 5.1 reads JSON without a charset as Latin-1.
 */
export const JSON_TYPE = "application/json; charset=utf-8";

const JSON_HEADERS = { headers: { "content-type": JSON_TYPE } };

/**
 * Option of `new Response()` for a body that may be compressed already: tells workerd (the
 * runtime of Cloudflare Workers) not to compress it again. Other runtimes ignore it.
 */
export const ENCODED = { encodeBody: "manual" };

/**
 * Returns the JSON text of an object, with a line feed after it so that the prompt of a
 * shell begins its own line; a JSON text, or its bytes, unchanged.
 *
 * @throws {TypeError} for anything else: an `admit` in plain JavaScript may return it.
 */
export function toJsonText(answer: Exclude<Answer, Response>): JsonText {
  if (typeof answer === "string" || answer instanceof Uint8Array) {
    return answer as JsonText;
  }
  if (typeof answer === "object" && answer !== null) {
    return `${JSON.stringify(answer)}\n`;
  }
  throw createTypeError("an answer", "an object, text or bytes", answer);
}

/**
 * Returns the response with an answer, whose headers can be changed: a `Response` unchanged,
 * or a copy if its headers are immutable; any other answer as JSON. An `admit` may return an
 * immutable one, from `fetch()` or `Response.redirect()`.
 */
export function toResponse(answer: Answer): Response {
  if (!(answer instanceof Response)) {
    return new Response(toJsonText(answer), JSON_HEADERS);
  }
  try {
    // Only a change tells whether headers are immutable.
    answer.headers.set("x-content-type-options", "nosniff");
    return answer;
  } catch {
    const { body, status, statusText, headers } = answer;
    return new Response(body, { status, statusText, headers });
  }
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
   * @param headers Headers of the response, besides those that every response has; names in
   * lower case.
   */
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/**
 * Returns the `HttpError` for any error: 400 or 501 for an `InputError`, 503 or 499 for a
 * `LoadError`. An unexpected error becomes a 500, and its details are only logged.
 */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InputError) {
    const status = error instanceof UnsupportedError ? 501 : 400;
    return new HttpError(status, error.message);
  }
  if (error instanceof LoadError) {
    if (error.reason === "disconnected") {
      return new HttpError(499, "the client has disconnected");
    }
    const cause = error.reason === "stopping"
      ? "the service is shutting down"
      : "too many large requests are in progress";
    const message = `${cause}, please try again`;
    return new HttpError(503, message, { "retry-after": "1" });
  }
  logError("unexpected error", error);
  return new HttpError(500, "internal error");
}
