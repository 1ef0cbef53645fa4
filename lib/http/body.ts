/** Checks of the headers that describe a request body, and the errors of reading a body. */

import { formatValue } from "../values/format_value.ts";
import { HttpError } from "./http_error.ts";

/**
 * Returns the length of a body in bytes, read from the headers of its request; `undefined`
 * if the headers do not guarantee the length. A `Content-Length` that is no number counts
 * as absent: Deno joins repeated headers, so it may be `2, 2`.
 *
 * @param isServed Whether `Deno.serve` has received the request.
 * @throws {HttpError} 413 for a `Content-Length` above `maxBodyBytes`, 415 for a
 * `Content-Encoding` other than `identity`, 501 for a `Transfer-Encoding` other than
 * `chunked`.
 */
export function readLength(
  { headers }: Request,
  { isServed, maxBodyBytes }: { isServed: boolean; maxBodyBytes: number },
): number | undefined {
  checkContentCoding(headers.get("content-encoding"));
  const transferCoding = headers.get("transfer-encoding");
  checkTransferCoding(transferCoding);
  const header = headers.get("content-length");
  if (header === null || !/^\d+$/.test(header)) return undefined;
  const length = Number(header);
  if (length > maxBodyBytes) throw createSizeError(maxBodyBytes);
  // Only `Deno.serve` guarantees that a body is as long as its `Content-Length` says. In
  // Deno 2.5, even `Deno.serve` does not if the request also has a `Transfer-Encoding`.
  return isServed && transferCoding === null ? length : undefined;
}

/**
 * Checks that a body has no transfer coding, or only `chunked`, which Deno has removed.
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
 * Checks the number of bytes that have come. A program may have replaced the body of a
 * request, and left its `Content-Length`.
 *
 * @param length Length of the body as announced, in bytes; `undefined` if it is unknown.
 * @throws {HttpError} 413 if they are more than `maxBodyBytes`, 400 if they are more than
 * were announced.
 */
export function checkSize(
  bytes: number,
  { length, maxBodyBytes }: {
    readonly length: number | undefined;
    readonly maxBodyBytes: number;
  },
): void {
  if (bytes > maxBodyBytes) throw createSizeError(maxBodyBytes);
  if (length === undefined || bytes <= length) return;
  const rule = `the body must have the ${length} bytes of its Content-Length`;
  throw new HttpError(400, `${rule}, got more`);
}

function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

/** The error for a body that breaks off: 400. */
export class BrokenBodyError extends HttpError {
  constructor() {
    super(400, "the body broke off before its end");
  }
}

/**
 * Returns the error to throw for a failed read: a `RangeError` unchanged, else a
 * `BrokenBodyError`.
 */
export function toReadError(error: unknown): unknown {
  // A `RangeError` means that there is no memory for a buffer. The client is not at fault,
  // so it gets a 500.
  return error instanceof RangeError ? error : new BrokenBodyError();
}
