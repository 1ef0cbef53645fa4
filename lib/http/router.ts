/** Finds the route for a request by path, then by method. */

import type { YieldControl } from "../operation/context.ts";
import type { Bytes } from "../buffer.ts";
import { formatAlternatives, formatValue } from "../format_value.ts";
import { type HandlerResult, HttpError } from "./response.ts";

/** Captures the path and query of an absolute URL. */
const URL_PARTS = /^[^/]*\/\/[^/?#]*([^?#]*)\??([^#]*)/;

/** Returns the path, and the query without `?`. Percent-escapes are not decoded. */
export function readTarget({ url }: Request) {
  const [, path = "", query = ""] = URL_PARTS.exec(url) ?? [];
  return { path: path === "" ? "/" : path, query };
}

/**
 * Rejects a Host header that contains `?` or `#` (RFC 9112, section 3.2). Deno builds the URL
 * from this header, so the path would become part of a query or a fragment.
 *
 * @throws {HttpError} 400
 */
export function checkHost(request: Request): void {
  // The URL is checked first, because reading headers makes a GET 7% slower.
  if (!/[?#]/.test(request.url)) return;
  const host = request.headers.get("host") ?? "";
  if (!/[?#]/.test(host)) return;
  const got = formatValue(host);
  throw new HttpError(
    400,
    `the Host header must be a host with an optional port, got ${got}`,
  );
}

export interface Context {
  /** The request, whose body has already been read. */
  readonly request: Request;
  /** The undecoded query, without `?`. */
  readonly query: string;
  /** The body, without a byte order mark. */
  readonly body: Bytes;
  readonly yieldControl: YieldControl;
}

/** Handles one request, or throws an error that `toHttpError()` converts. */
export type Handler = (
  context: Context,
) => HandlerResult | Promise<HandlerResult>;

/** @internal */
export interface Route {
  readonly method: "GET" | "POST";
  readonly pattern: URLPattern;
  readonly handler: Handler;
  /** For POST: converts the result or error to a response, in place of the middleware. */
  readonly respond?: (pending: Promise<HandlerResult>) => Promise<Response>;
}

/** CORS preflights succeed for unknown paths, so a web page can read the 404. */
const ALLOW_ON_UNKNOWN_PATH = "GET, HEAD, POST";

/**
 * Creates a function that returns the route for a request or the response to OPTIONS. Paths are
 * case-sensitive, and GET routes also handle HEAD. The function throws an `HttpError`: 404 for
 * an unknown path, and 405 with `Allow` for an unsupported method.
 */
export function createRouter(
  routes: readonly Route[],
): (request: Request, path: string) => Route | Response {
  const byPath = Map.groupBy(routes, ({ pattern }) => pattern.pathname);
  // Paths with groups or wildcards.
  const dynamic = routes.filter((it) => /[:*({]/.test(it.pattern.pathname));

  return function find({ method }, path) {
    const pathname = normalizeSlashes(path);
    // Tries a lookup first, because testing a `URLPattern` takes as long as generating a UUID.
    const found = byPath.get(pathname) ??
      dynamic.filter(({ pattern }) => pattern.test({ pathname }));
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
 * Collapses consecutive slashes, because some generated clients call `//api/uuid` if their base
 * URL ends with a slash. Also removes a trailing slash.
 */
export function normalizeSlashes(path: string): string {
  const pathname = path.includes("//") ? path.replaceAll(/\/+/g, "/") : path;
  return pathname.length > 1 && pathname.endsWith("/")
    ? pathname.slice(0, -1)
    : pathname;
}
