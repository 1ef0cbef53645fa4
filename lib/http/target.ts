/** Reads path and query of a request, and checks its Host header. */

import { formatValue } from "../format_value.ts";
import { HttpError } from "../http_error.ts";

/** Path and query of a request (RFC 9112, section 3.2), with percent-escapes as they were sent. */
export interface Target {
  /** The path, such as `/api/uuid`. */
  readonly path: string;
  /** The text after the question mark, empty if there is none. */
  readonly query: string;
}

/**
 * The Host header that was found valid last. Most requests have the same value, which need
 * not be checked again.
 */
let validHost: string | null = null;

/**
 * Reads path and query of a request from its URL. Deno builds the URL from the Host
 * header and the request line.
 *
 * @throws {HttpError} 400 if the Host header gives no valid URL, or has a character that
 * would become part of the path (`/`, `?`, `#` or a backslash).
 */
export function readTarget(request: Request): Target {
  const host = request.headers.get("host");
  if (host !== validHost) {
    checkHost(host);
    validHost = host;
  }
  return splitUrl(request.url);
}

/** Returns path and query of an absolute URL, not decoded. */
export function splitUrl(url: string): Target {
  // The position after the two slashes, where host and port begin.
  const start = url.indexOf("//") + 2;
  const hash = url.indexOf("#", start);
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf("?", start);
  const pathEnd = mark === -1 || mark > end ? end : mark;
  const slash = url.indexOf("/", start);
  const hasPath = slash !== -1 && slash < pathEnd;
  return {
    path: hasPath ? url.slice(slash, pathEnd) : "/",
    query: pathEnd === end ? "" : url.slice(pathEnd + 1, end),
  };
}

function checkHost(host: string | null): void {
  // A request without Host header is accepted. HTTP/1.0 does not require it; HTTP/2 has the
  // authority instead, which Deno checks. HTTP/1.1 requires it, but the service cannot see
  // the version.
  if (host === null || host === "") return;
  // The header itself is checked, since the host in `request.url` may be another one: that
  // of an absolute URL in the request line (RFC 9112, section 3.2.2).
  if (!/[/?#\\]/.test(host) && URL.canParse(`http://${host}`)) return;
  throw new HttpError(
    400,
    `the Host header must be a host name and perhaps a port, got ${
      formatValue(host)
    }`,
  );
}
