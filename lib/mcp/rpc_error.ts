/**
 * The errors of JSON-RPC 2.0 and MCP, and those that other errors become.
 *
 * @module
 */

import { toHttpError } from "../http/response.ts";
import { JsonTextError } from "../json/error.ts";
import type { JsonObject } from "../json/object.ts";
import { formatValue } from "../format_value.ts";

/** Error codes of JSON-RPC 2.0 (section 5.1); the last two are of MCP 2026-07-28. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;
export const HEADER_MISMATCH = -32_020;
export const UNSUPPORTED_REVISION = -32_022;

/** The parts of an error that most errors do not need. */
interface Details {
  /** Status over HTTP, 400 by default. */
  readonly status?: number;
  /** Further headers of the HTTP response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Details for the client, besides the message. */
  readonly data?: JsonObject;
}

/** An error for the client (JSON-RPC 2.0, section 5.1), and its status over HTTP. */
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
 * Converts any error to an `RpcError`: one of a text that is no JSON, and those that
 * `toHttpError()` knows, with the same message. An unexpected error becomes
 * `internal error`; its details are only logged.
 */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof JsonTextError) {
    return new RpcError(
      PARSE_ERROR,
      `a message must be JSON: ${error.message}`,
    );
  }
  const { status, message, headers } = toHttpError(error);
  const code = status === 500
    ? INTERNAL_ERROR
    : status < 500
    ? INVALID_REQUEST
    : SERVER_ERROR;
  return new RpcError(code, message, { status, headers });
}

/**
 * Creates the error for a member of a message that has an invalid value: by default
 * -32600 (invalid request), or `INVALID_PARAMS` for a member that MCP defines.
 */
export function createMemberError(
  name: string,
  expected: string,
  value: unknown,
  code: number = INVALID_REQUEST,
): RpcError {
  const got = formatValue(value);
  return new RpcError(code, `"${name}" must be ${expected}, got ${got}`);
}
