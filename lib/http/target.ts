/**
 * Path and query of a request (RFC 9112, section 3.2). Percent-escapes are not decoded.
 */
export interface Target {
  /** The path, such as `/api/uuid`. */
  readonly path: string;
  /** The text after the question mark, empty if there is none. */
  readonly query: string;
}

/** Matches an absolute URL up to its fragment, and captures path and query. */
const URL_PARTS = /^[^/]*\/\/[^/?#]*([^?#]*)\??([^#]*)/;

/**
 * Reads path and query of a request from its URL, which Deno makes from the Host header and
 * the request line. The Host header is not checked: one with a `/`, `?` or `#` changes the
 * path and query of its own request, and of no other.
 */
export function readTarget({ url }: Request): Target {
  const [, path = "", query = ""] = URL_PARTS.exec(url) ?? [];
  return { path: path === "" ? "/" : path, query };
}
