/** Limits, header checks, and errors for request bodies. */

import type { YieldControl } from "../operation/context.ts";
import type { Bytes } from "../buffer.ts";
import { formatValue } from "../format_value.ts";
import { type HandlerResult, HttpError } from "./response.ts";

/** Limits for each request body. */
export interface BodyLimits {
  /** Maximum size of a body, in bytes, from 1 to 16,777,216. */
  readonly maxBodyBytes: number;
  /**
   * Time limit for receiving a body, in milliseconds, from 1 to 2,147,483,647. It doesn't apply
   * to bodies that average at least 64 KiB/s.
   */
  readonly bodyTimeoutMs: number;
}

/** The default limits: 1 MiB and 10 seconds. */
export const DEFAULT_BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 1024 * 1024,
  bodyTimeoutMs: 10_000,
};

/** The highest valid limits: 16 MiB, and the longest timer delay, which is about 25 days. */
export const MAX_BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  bodyTimeoutMs: 2 ** 31 - 1,
};

/** Bodies that arrive at this average rate or faster never time out. */
export const MIN_BYTES_PER_SECOND = 64 * 1024;

export const NO_BODY: Bytes = new Uint8Array();

/** Information about a request from `Deno.serve`. Other servers can omit it. */
export interface ServeInfo {
  /** Settles when the response has been sent or cannot be sent. */
  readonly completed?: Promise<void>;
}

/** Computes the result of a request from its body. */
export type Compute = (
  body: Bytes,
  yieldControl: YieldControl,
) => HandlerResult | Promise<HandlerResult>;

/**
 * Reads the body of a POST request, passes it to `compute`, and returns the result to send.
 * Rejects if `compute` rejects or the body cannot be read.
 */
export type BodyRunner = (
  request: Request,
  info: ServeInfo | undefined,
  compute: Compute,
) => Promise<HandlerResult>;

/**
 * Checks the headers of a body. Returns its length in bytes, or `undefined` if `Content-Length`
 * is absent or isn't a number. For example, Deno joins repeated headers to `2, 2`.
 *
 * @throws {HttpError} 413 for a `Content-Length` above `maxBodyBytes`, 415 for a
 * `Content-Encoding` other than `identity`, 501 for a `Transfer-Encoding` other than
 * `chunked`.
 */
export function readLength(
  request: Request,
  maxBodyBytes: number,
): number | undefined {
  const { headers } = request;
  checkContentCoding(headers.get("content-encoding"));
  const length = headers.get("content-length");
  if (length === null || !/^\d+$/.test(length)) {
    // Checked only here: servers reject a request that has both headers (RFC 9112, section 6.3).
    checkTransferCoding(headers.get("transfer-encoding"));
    return request.body === null ? 0 : undefined;
  }
  if (Number(length) > maxBodyBytes) throw createSizeError(maxBodyBytes);
  return Number(length);
}

/** Allows only `chunked`, which the server has already decoded (RFC 9112, section 6.1). */
function checkTransferCoding(header: string | null): void {
  if (header === null || header.toLowerCase() === "chunked") return;
  throw new HttpError(
    501,
    `the Transfer-Encoding header must be "chunked" or absent, got ${
      formatValue(header)
    }`,
  );
}

/** Allows only `identity`, which can be repeated (RFC 9110, section 8.4.1). */
function checkContentCoding(header: string | null): void {
  if (header === null) return;
  const codings = header.split(",").map((name) => name.trim().toLowerCase());
  if (codings.every((name) => name === "" || name === "identity")) return;
  throw new HttpError(
    415,
    `the Content-Encoding header must be "identity" or absent, got ${
      formatValue(header)
    }`,
    { "accept-encoding": "identity" },
  );
}

export function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

export function createTimeoutError(
  timeoutMs: number,
  headers: Readonly<Record<string, string>> = {},
): HttpError {
  const message = `the body must arrive within ${timeoutMs} milliseconds`;
  return new HttpError(408, message, headers);
}

/** The error (400) for a body that ends early. */
export class IncompleteBodyError extends HttpError {
  constructor() {
    super(400, "the body must be complete, got only part of it");
  }
}

/**
 * Converts the cause of a failed read to an error for the client. Returns an `HttpError` or
 * `RangeError` unchanged and replaces any other error with an `IncompleteBodyError`.
 */
export function toReadError(error: unknown): Error {
  // A `RangeError` means that a buffer could not be allocated. It becomes a 500.
  return error instanceof RangeError || error instanceof HttpError
    ? error
    : new IncompleteBodyError();
}
