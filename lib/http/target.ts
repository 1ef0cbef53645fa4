/** Reads path and query of a request, and checks its Host header. */

import { formatValue } from "../format_value.ts";
import { HttpError } from "../http_error.ts";

/** Path and query of a request (RFC 9112, section 3.2), with escapes as they were sent. */
export interface Target {
  /** Such as `/api/uuid`. */
  readonly path: string;
  /** The text after the question mark, empty if there is none. */
  readonly query: string;
}

/** The last Host that was valid. Most requests have the same one, which is not checked again. */
let validHost: string | null = null;

/**
 * Reads a request's target from its URL, which Deno builds from the Host header and
 * the target.
 *
 * @throws {HttpError} 400 if the Host gives no valid URL, or has a character that
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
  // Host and port begin behind the two slashes.
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
  // HTTP/1.0 needs no Host, and HTTP/2 has none: Deno checks its authority. Deno
  // does not give the version, so HTTP/1.1 without Host is served as well.
  if (host === null || host === "") return;
  // The Host is checked itself, since the URL may have another host (RFC 9112, section
  // 3.2.2).
  if (!/[/?#\\]/.test(host) && URL.canParse(`http://${host}`)) return;
  throw new HttpError(
    400,
    `the Host header must be a host name and perhaps a port, got ${
      formatValue(host)
    }`,
  );
}
