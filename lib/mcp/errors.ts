/** Errors of JSON-RPC 2.0, and the HTTP responses that carry them. */

import { HttpError } from "../http_error.ts";
import { logError } from "../log.ts";

/** The identifier of a message; `null` if it is missing or invalid. */
export type MessageId = string | number | null;

/** Error codes that JSON-RPC 2.0 defines in section 5.1: this constant and the next three. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/**
 * Error code for an `HttpError` with a status of 500 or more, such as 503. JSON-RPC 2.0
 * leaves the codes from −32,099 to −32,000 to the server (section 5.1).
 */
const SERVER_ERROR = -32_000;

/** The error for a message that is not JSON, not a valid message, or too large. */
export class MessageError {
  readonly code: number;
  readonly message: string;
  /** The identifier of the message; `null` if it could not be read. */
  readonly id: MessageId;

  /**
   * @param code Error code (JSON-RPC 2.0, section 5.1).
   * @param message Message for the client.
   * @param id The identifier of the message; `null` if it could not be read.
   */
  constructor(code: number, message: string, id: MessageId = null) {
    this.code = code;
    this.message = message;
    this.id = id;
  }
}

/** The member `error` of an error response: its code and its message. */
export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
}

/** An error response (JSON-RPC 2.0, section 5). */
export interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id: MessageId;
  readonly error: JsonRpcError;
}

/**
 * Makes an error response.
 *
 * @param id The identifier of the request; `null` if it could not be read.
 */
export function createErrorResponse(
  id: MessageId,
  { code, message }: JsonRpcError,
): ErrorResponse {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Makes the error response for an unexpected error. The details of the error are only logged. */
export function createInternalError(
  error: unknown,
  id: MessageId,
): ErrorResponse {
  logError("unexpected error", error);
  const internal = { code: INTERNAL_ERROR, message: "internal error" };
  return createErrorResponse(id, internal);
}

/** Returns the text of the error for a JSON-RPC message of more than `maxBytes` bytes. */
export function describeLimit(maxBytes: number): string {
  return `a message must have at most ${maxBytes} bytes`;
}

/**
 * Makes the HTTP response for an error. An `HttpError` becomes a response with its
 * status, headers and message. For any other error the status is 500, and the details are
 * only logged.
 */
export function answerFailure(
  error: unknown,
  { id, maxBytes = 0 }: { readonly id: MessageId; readonly maxBytes?: number },
): Response {
  if (!(error instanceof HttpError)) {
    return Response.json(createInternalError(error, id), { status: 500 });
  }
  const { status, exposedHeaders: headers } = error;
  const message = status === 413 ? describeLimit(maxBytes) : error.message;
  const code = status < 500 ? INVALID_REQUEST : SERVER_ERROR;
  return Response.json(createErrorResponse(id, { code, message }), {
    status,
    headers,
  });
}
