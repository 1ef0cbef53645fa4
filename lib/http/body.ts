/** Checks of the headers that describe a request body, and the errors of reading it. */

import { formatValue } from "../values/format_value.ts";
import { HttpError } from "./http_error.ts";

/**
 * Reads the length of a body from the headers; `undefined` if they do not guarantee it.
 *
 * @param isServed Whether `Deno.serve` has received the request.
 * @throws {HttpError} 413 for a body above the limit, 415 for a compressed body.
 */
export function readLength(
  { headers }: Request,
  { isServed, maxBodyBytes }: { isServed: boolean; maxBodyBytes: number },
): number | undefined {
  checkContentCoding(headers.get("content-encoding"));
  const length = headers.get("content-length");
  if (Number(length) > maxBodyBytes) throw createSizeError(maxBodyBytes);
  // Only `Deno.serve` guarantees that a body is as long as its `Content-Length` says; Deno 2.5
  // does not if there is a `Transfer-Encoding`, too.
  const isCertain = length !== null && isServed &&
    headers.get("transfer-encoding") === null;
  return isCertain ? Number(length) : undefined;
}

/**
 * Checks that a body is not compressed: `Content-Encoding` must be absent or `identity`, in
 * any case (RFC 9110, section 8.4.1).
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

/** Creates the error for a body of more than `maxBodyBytes`. */
export function createSizeError(maxBodyBytes: number): HttpError {
  return new HttpError(413, `the body must be at most ${maxBodyBytes} bytes`);
}

/** Turns an error that was thrown while a body was read into the error for the client. */
export function toReadError(error: unknown): unknown {
  // The service lacks memory for a buffer: no fault of the client.
  if (error instanceof RangeError) return error;
  return new HttpError(400, "the body broke off before its end");
}
