/** JSON-RPC and MCP errors, and conversions of other errors to them. */

import { toHttpError } from "../http/response.ts";
import { JsonTextError } from "../json/error.ts";
import type { JsonObject } from "../json/object.ts";
import { formatValue } from "../format_value.ts";

/** Error codes of JSON-RPC 2.0 (section 5.1). MCP 2026-07-28 defines the last two. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;
export const HEADER_MISMATCH = -32_020;
export const UNSUPPORTED_VERSION = -32_022;

interface Details {
  /** The HTTP status. The default is 400. */
  readonly status?: number;
  /** Additional headers of the HTTP response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: JsonObject;
}

/** An error for the client (JSON-RPC 2.0, section 5.1), with its HTTP status. */
export class RpcError extends Error {
  override name = "RpcError";

  constructor(
    readonly code: number,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }
}

/**
 * Converts any error to an `RpcError` with the same message that an endpoint would send. For an
 * unexpected error, the message is `internal error`, and only the log contains the details.
 */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof JsonTextError) {
    const problem = `a message must be JSON: ${error.message}`;
    return new RpcError(PARSE_ERROR, problem);
  }
  const { status, message, headers } = toHttpError(error);
  const serverCode = status === 500 ? INTERNAL_ERROR : SERVER_ERROR;
  const code = status < 500 ? INVALID_REQUEST : serverCode;
  return new RpcError(code, message, { status, headers });
}

export function createPropertyError(
  name: string,
  expected: string,
  value: unknown,
  code: number = INVALID_REQUEST,
): RpcError {
  const got = formatValue(value);
  return new RpcError(code, `"${name}" must be ${expected}, got ${got}`);
}

export function createParamError(
  name: string,
  expected: string,
  value: unknown,
): RpcError {
  return createPropertyError(name, expected, value, INVALID_PARAMS);
}
