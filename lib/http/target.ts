/** What a request asks for, with the Host header distrusted. */

import { describe } from "../quote.ts";
import { HttpError } from "../http_error.ts";

/** A request's target (RFC 9112, section 3.2), as it came: nothing is decoded. */
export interface Target {
  /** Such as `/api/uuid`. */
  readonly path: string;
  /** What follows the question mark, empty where there is none. */
  readonly query: string;
}

/** The Host that was last found good: most requests name the same one. */
let goodHost: string | null = null;

/**
 * Reads a request's target from its URL, which the server makes of the Host
 * header and the target.
 *
 * @throws {HttpError} 400 for a Host that makes no URL, and for one with a
 * character that would move the path.
 */
export function readTarget(request: Request): Target {
  const host = request.headers.get("host");
  if (host !== goodHost) {
    checkHost(host, request.url);
    goodHost = host;
  }
  return splitUrl(request.url);
}

/** Takes path and query out of a URL, unchanged. */
export function splitUrl(url: string): Target {
  // The first slash after the scheme's two.
  const start = url.indexOf("/", "https://".length);
  if (start === -1) return { path: "/", query: "" };
  const hash = url.indexOf("#", start);
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf("?", start);
  if (mark === -1 || mark > end) {
    return { path: url.slice(start, end), query: "" };
  }
  return { path: url.slice(start, mark), query: url.slice(mark + 1, end) };
}

function checkHost(host: string | null, url: string): void {
  // There is none over HTTP/2, where the server checks the authority, and need
  // not be over HTTP/1.0. The version is not told, so that HTTP/1.1 goes without.
  if (host === null || (!/[/?#\\]/.test(host) && URL.canParse(url))) return;
  throw new HttpError(
    400,
    `the Host header must be a host name and perhaps a port, got ${
      describe(host)
    }`,
  );
}
