/** Finds the handler of a request by its path, then by its method. */

import type { YieldControl } from "../operation/context.ts";
import type { Bytes } from "../buffer.ts";
import { formatAlternatives, formatValue } from "../format_value.ts";
import { type HandlerResult, HttpError } from "./response.ts";

/** Matches an absolute URL up to its fragment, and captures path and query. */
const URL_PARTS = /^[^/]*\/\/[^/?#]*([^?#]*)\??([^#]*)/;

/**
 * Returns the path of a request, and the query without its question mark (RFC 9112, section
 * 3.2), from the URL that Deno builds from the Host header and the request line.
 * Percent-escapes are not decoded.
 */
export function readTarget(
  { url }: Request,
): { readonly path: string; readonly query: string } {
  const [, path = "", query = ""] = URL_PARTS.exec(url) ?? [];
  return { path: path === "" ? "/" : path, query };
}

/**
 * Rejects a Host header that would replace the path of the request by a query or a fragment
 * (RFC 9112, section 3.2). A Host with other unusual characters affects only its own request.
 *
 * @throws {HttpError} 400 for a Host with `?` or `#`.
 */
export function checkHost(request: Request): void {
  // Reading the headers costs a GET about 7% of its throughput.
  if (!/[?#]/.test(request.url)) return;
  const host = request.headers.get("host") ?? "";
  if (!/[?#]/.test(host)) return;
  const got = formatValue(host);
  throw new HttpError(
    400,
    `the Host header must be a host and an optional port, got ${got}`,
  );
}

export interface Context {
  /** The request, whose body has already been read. */
  readonly request: Request;
  /** The query of the URL, not decoded, without the question mark; can be empty. */
  readonly query: string;
  /** The body without a byte order mark at its start; empty if the request has no body. */
  readonly body: Bytes;
  /** Lets other requests run between the parts of a long computation. */
  readonly yieldControl: YieldControl;
}

/** Handles one request, or throws an error that `toHttpError()` converts. */
export type Handler = (
  context: Context,
) => HandlerResult | Promise<HandlerResult>;

/**
 * An endpoint.
 *
 * @internal
 */
export interface Route {
  readonly method: "GET" | "POST";
  readonly pattern: URLPattern;
  readonly handler: Handler;
  /**
   * Creates the response to a POST from the handler's result, or from an error of the handler
   * or in receiving the body. Without this function, the middleware creates the response.
   */
  readonly respond?: (pending: Promise<HandlerResult>) => Promise<Response>;
}

/**
 * Value of `Allow` in the response to OPTIONS for an unknown path. A CORS preflight must
 * succeed for it, so that a web page can send its request and read the 404.
 */
const ALLOW_ON_UNKNOWN_PATH = "GET, HEAD, POST";

/** Matches the path of a `URLPattern` that matches only this path. */
const LITERAL_PATHNAME = /^[^:*{}()\\?+]*$/;

/**
 * Creates a router, which returns the route of a request, or the response to OPTIONS. Paths
 * are case-sensitive, consecutive slashes are treated as one, and one at the end is ignored. A
 * GET route also handles HEAD. The router throws an `HttpError` with 404 for a path that no
 * route has, and with 405 and `Allow` for a method that no route of the path has.
 */
export function createRouter(
  routes: readonly Route[],
): (request: Request, path: string) => Route | Response {
  const byPath = Map.groupBy(routes, ({ pattern }) => pattern.pathname);
  const patternRoutes = routes.filter(({ pattern }) =>
    !LITERAL_PATHNAME.test(pattern.pathname)
  );

  return function find({ method }, path) {
    const pathname = normalizeSlashes(path);
    // First a lookup, because testing a `URLPattern` takes about as long as generating a UUID.
    const found = byPath.get(pathname) ??
      patternRoutes.filter(({ pattern }) => pattern.test({ pathname }));
    const wanted = method === "HEAD" ? "GET" : method;
    const route = found.find((route) => route.method === wanted);
    if (route !== undefined) return route;
    const allowed = found.flatMap((route) =>
      route.method === "GET" ? ["GET", "HEAD"] : route.method
    );
    if (method === "OPTIONS") {
      const allow = allowed.join(", ") || ALLOW_ON_UNKNOWN_PATH;
      return new Response(null, { status: 204, headers: { allow } });
    }
    if (allowed.length === 0) {
      throw new HttpError(404, `no such path: ${formatValue(path)}`);
    }
    const expected = formatAlternatives(allowed);
    const got = formatValue(method);
    const message = `the method must be ${expected}, got ${got}`;
    throw new HttpError(405, message, { allow: allowed.join(", ") });
  };
}

/**
 * Replaces consecutive slashes by one, because some generated clients call `//api/uuid` if
 * their base URL ends in a slash. Removes one slash at the end.
 */
export function normalizeSlashes(path: string): string {
  const pathname = path.includes("//") ? path.replaceAll(/\/+/g, "/") : path;
  return pathname.length > 1 && pathname.endsWith("/")
    ? pathname.slice(0, -1)
    : pathname;
}
