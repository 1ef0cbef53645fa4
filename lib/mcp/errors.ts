/** Errors of JSON-RPC 2.0, and the answers over HTTP that carry them. */

import { HttpError } from "../http_error.ts";
import { logError } from "../log.ts";

/** The identifier of a request; `null` where none could be read. */
export type MessageId = string | number | null;

/** Codes of JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INTERNAL_ERROR = -32_603;

/** The first of the codes that JSON-RPC leaves to servers. */
export const SERVER_ERROR = -32_000;

/** A response of JSON-RPC that is an error. */
export interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id: MessageId;
  readonly error: { readonly code: number; readonly message: string };
}

/** Makes the response to the message of an identifier. */
export function createErrorResponse(
  id: MessageId,
  { code, message }: { readonly code: number; readonly message: string },
): ErrorResponse {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Makes the response to a message with which the service failed, and logs why. */
export function createInternalError(
  error: unknown,
  id: MessageId,
): ErrorResponse {
  logError("unexpected error", error);
  const internal = { code: INTERNAL_ERROR, message: "internal error" };
  return createErrorResponse(id, internal);
}

/**
 * Answers a message that failed: an `HttpError` with its own status, headers and
 * message, anything else as a 500 whose details go to the log only.
 */
export function answerFailure(error: unknown, id: MessageId): Response {
  if (!(error instanceof HttpError)) {
    return Response.json(createInternalError(error, id), { status: 500 });
  }
  const { status, message, headers } = error;
  const code = status < 500 ? INVALID_REQUEST : SERVER_ERROR;
  return Response.json(createErrorResponse(id, { code, message }), {
    status,
    headers: "retry-after" in headers
      ? { ...headers, "access-control-expose-headers": "retry-after" }
      : headers,
  });
}
