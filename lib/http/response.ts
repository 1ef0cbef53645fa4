/** The values that handlers return and throw, and the responses created from them. */

import type { Bytes } from "../buffer.ts";
import { InputError, UnsupportedError } from "../operation/input_error.ts";
import { logError } from "../log.ts";

/** JSON, as a string or as UTF-8. */
export type JsonText = string | Bytes;

/**
 * The result of a handler. An object is sent as JSON with a newline, and `JsonText` is sent
 * unchanged. The status is 200 for both. A `Response` is sent with its own status and body.
 */
export type HandlerResult = object | JsonText | Response;

export function isJsonText(result: HandlerResult): result is JsonText {
  return typeof result === "string" || result instanceof Uint8Array;
}

/** RFC 8259 doesn't require the charset, but without it, PowerShell 5.1 decodes JSON as Latin-1. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Keeps workerd (Cloudflare Workers) from compressing a body again. Other runtimes ignore it. */
export const ENCODED = { encodeBody: "manual" };

/** Serializes an object as JSON with a newline. Returns `JsonText` unchanged. */
export function toPayload(
  result: Exclude<HandlerResult, Response>,
): JsonText {
  return isJsonText(result) ? result : `${JSON.stringify(result)}\n`;
}

/** Converts a result to a response with mutable headers. */
export function toResponse(result: HandlerResult): Response {
  if (result instanceof Response) return result;
  const response = new Response(toPayload(result));
  // This is faster than passing `headers` to the constructor.
  response.headers.set("content-type", JSON_TYPE);
  return response;
}

/**
 * Removes the body and sets its `Content-Length`, for HEAD requests (RFC 9110, section 9.3.2).
 * Over HTTP/2, Deno would send the body, which RFC 9113 forbids (section 8.1.1).
 */
export async function dropBody(response: Response): Promise<Response> {
  // Status 204 or 304.
  if (response.body === null) return response;
  const { status, headers } = response;
  const { byteLength } = await response.bytes();
  headers.set("content-length", String(byteLength));
  return new Response(null, { status, headers });
}

/** An error whose HTTP status, message, and headers are sent to the client. */
export class HttpError extends Error {
  override name = "HttpError";

  /**
   * @param status HTTP status, from 400 to 599.
   * @param message Message for the client. A message about a field, parameter, or header
   * contains its name, its valid values, and the value received.
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

/** The error (503) for a request that gets no slot in time or stalls while others wait. */
export function createBusyError(): HttpError {
  return createRetryError("too many large requests are in progress");
}

export function createShutdownError(): HttpError {
  return createRetryError("the service is shutting down");
}

function createRetryError(cause: string): HttpError {
  const message = `${cause}, please try again`;
  return new HttpError(503, message, { "retry-after": "1" });
}

/** Converts any error to an `HttpError`. Details of unexpected errors are logged, not sent. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InputError) {
    const status = error instanceof UnsupportedError ? 501 : 400;
    return new HttpError(status, error.message);
  }
  logError("unexpected error", error);
  return new HttpError(500, "internal error");
}
