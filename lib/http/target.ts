/**
 * Path and query of a request (RFC 9112, section 3.2), with percent-escapes as they were
 * sent.
 */
export interface Target {
  /** The path, such as `/api/uuid`. */
  readonly path: string;
  /** The text after the question mark, empty if there is none. */
  readonly query: string;
}

/** The parts of an absolute URL: scheme and authority, path, query. */
const URL_PARTS = /^[^/]*\/\/[^/?#]*([^?#]*)\??([^#]*)/;

/**
 * Reads path and query of a request from its URL, which Deno makes of the Host header and
 * the request line. The Host header is not checked: one with a `/` or `?` changes the path
 * of its own request, and only that.
 */
export function readTarget({ url }: Request): Target {
  const [, path = "", query = ""] = URL_PARTS.exec(url) ?? [];
  return { path: path === "" ? "/" : path, query };
}
