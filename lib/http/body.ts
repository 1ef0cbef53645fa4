/** Checks of the headers that describe a request body, and the errors of reading a body. */

import { formatValue } from "../values/format_value.ts";
import { HttpError } from "./http_error.ts";

/**
 * Returns the length of a body in bytes, read from the headers of its request; `undefined`
 * if the headers do not guarantee the length.
 *
 * @param isServed Whether `Deno.serve` has received the request.
 * @throws {HttpError} 413 for a `Content-Length` above `maxBodyBytes`, 415 for a
 * `Content-Encoding` other than `identity`.
 */
export function readLength(
  { headers }: Request,
  { isServed, maxBodyBytes }: { isServed: boolean; maxBodyBytes: number },
): number | undefined {
  checkContentCoding(headers.get("content-encoding"));
  const length = headers.get("content-length");
  if (Number(length) > maxBodyBytes) throw createSizeError(maxBodyBytes);
  // Only `Deno.serve` guarantees that a body is as long as its `Content-Length` says. In
  // Deno 2.5, even `Deno.serve` does not if the request also has a `Transfer-Encoding`.
  const isCertain = length !== null && isServed &&
    headers.get("transfer-encoding") === null;
  return isCertain ? Number(length) : undefined;
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

export function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

/** Returns the error to throw for a failed read: a `RangeError` unchanged, else a 400. */
export function toReadError(error: unknown): unknown {
  // A `RangeError` means that there is no memory for a buffer. The client is not at fault,
  // so it gets a 500.
  if (error instanceof RangeError) return error;
  return new HttpError(400, "the body broke off before its end");
}
