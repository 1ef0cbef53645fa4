/** The bodies of requests: their limits, the checks of their headers, and their errors. */

import type { Pause } from "../operation/context.ts";
import type { Bytes } from "../values/buffer.ts";
import { formatValue } from "../values/format_value.ts";
import { type Answer, HttpError } from "./answer.ts";

/** Limits of each request body. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive: 1 to 16,777,216. */
  readonly maxBodyBytes: number;
  /**
   * Time limit for the arrival of the whole body, in milliseconds: 1 to 2,147,483,647. A
   * body that averages 64 KiB/s or more may take longer.
   */
  readonly bodyTimeoutMs: number;
}

/** The default limits: 1 MiB and 10 seconds. */
export const DEFAULT_BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 1024 * 1024,
  bodyTimeoutMs: 10_000,
};

/** The largest limits: 16 MiB, and the longest delay of a timer, about 25 days. */
export const MAX_BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  bodyTimeoutMs: 2 ** 31 - 1,
};

/** Lowest average rate at which a body is never late, in bytes per second. */
export const MIN_RATE = 64 * 1024;

/**
 * Largest small body, and largest small answer, in bytes, inclusive. A small request never
 * waits for others.
 */
export const SMALL_BYTES = 64 * 1024;

/** The body of a request that has none. */
export const NO_BODY: Bytes = new Uint8Array();

/** Information about a request from `Deno.serve`; other servers may leave members out. */
export interface ServeInfo {
  /** Settles when the response has been sent, or cannot be sent. */
  readonly completed?: Promise<void>;
}

/** Computes the answer to a request from its body. */
export type Compute = (body: Bytes, pause: Pause) => Answer | Promise<Answer>;

/**
 * Receives the body of a request, lets `compute` make the answer, and returns what is sent.
 * The promise rejects with the errors of `compute`, and with others if the body cannot be
 * received.
 */
export type Admit = (
  request: Request,
  info: ServeInfo | undefined,
  compute: Compute,
) => Promise<Answer>;

/**
 * Checks the headers that describe a body, and returns its length as announced, in bytes;
 * `undefined` if `Content-Length` is absent, or no number: Deno joins repeated headers, so it
 * may be `2, 2`.
 *
 * @throws {HttpError} 413 for a `Content-Length` above `maxBodyBytes`, 415 for a
 * `Content-Encoding` other than `identity`, 501 for a `Transfer-Encoding` other than
 * `chunked`.
 */
export function readLength(
  { headers }: Request,
  maxBodyBytes: number,
): number | undefined {
  checkContentCoding(headers.get("content-encoding"));
  const length = headers.get("content-length");
  if (length === null || !/^\d+$/.test(length)) {
    // Servers refuse a request that has both headers (RFC 9112, section 6.3).
    checkTransferCoding(headers.get("transfer-encoding"));
    return undefined;
  }
  if (Number(length) > maxBodyBytes) throw createSizeError(maxBodyBytes);
  return Number(length);
}

/**
 * Checks that a body has no transfer coding, or only `chunked`, which the server has removed.
 *
 * @throws {HttpError} 501 for another coding (RFC 9112, section 6.1).
 */
function checkTransferCoding(header: string | null): void {
  if (header === null || header.toLowerCase() === "chunked") return;
  throw new HttpError(
    501,
    `the Transfer-Encoding header must be "chunked" or absent, got ${
      formatValue(header)
    }`,
  );
}

/**
 * Checks that a body is not compressed: `Content-Encoding` may be absent or empty, or list
 * `identity`, in upper or lower case, any number of times (RFC 9110, section 8.4.1).
 *
 * @throws {HttpError} 415 for another coding.
 */
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

/**
 * Checks a chunk of a body: a `Request` that a program has created may have a stream of
 * strings, for example.
 *
 * @throws {HttpError} 400 if it has no bytes.
 */
export function checkBytes(chunk: unknown): asserts chunk is Bytes {
  if (chunk instanceof Uint8Array) return;
  throw new HttpError(400, "the body must be a stream of bytes");
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

/** The error for a body that ends before its end: 400. */
export class BrokenBodyError extends HttpError {
  constructor() {
    super(400, "the body broke off before its end");
  }
}

/**
 * Returns the error for a failed read: a `BrokenBodyError`, but errors with a status, and a
 * `RangeError`, unchanged.
 */
export function toReadError(error: unknown): Error {
  // A `RangeError` means that there is no memory for a buffer. The client is not at fault,
  // so it gets a 500.
  return error instanceof RangeError || error instanceof HttpError
    ? error
    : new BrokenBodyError();
}
