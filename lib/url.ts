/** The URL of a request, with the Host header distrusted. */

import { describe, HttpError } from "./errors.ts";

/**
 * Parses a request's URL, which the server makes of the Host header and the
 * request's target.
 *
 * @throws {HttpError} 400 for a Host that makes no URL, and for one with a
 * character that would move the path.
 */
export function readUrl(request: Request): URL {
  const host = request.headers.get("host");
  const url = host !== null && /[/?#\\]/.test(host)
    ? null
    : URL.parse(request.url);
  if (url !== null) return url;
  throw new HttpError(
    400,
    `the Host header must be a host name and perhaps a port, got ${
      describe(host)
    }`,
  );
}
