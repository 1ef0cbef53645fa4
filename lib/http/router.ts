/**
 * Chooses the handler of a request by its path, then by its method. OPTIONS is answered for
 * every path. Any other request gets 404 for an unknown path, and 405 with `Allow` for a
 * method that its path does not have.
 */

import type { YieldControl } from "../operation/context.ts";
import type { Bytes } from "../buffer.ts";
import { formatValue } from "../format_value.ts";
import { type HandlerResult, HttpError } from "./response.ts";

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
 * the request line.
 */
export function readTarget({ url }: Request): Target {
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
  // To read the headers costs a GET about 7% of its throughput.
  if (!/[?#]/.test(request.url)) return;
  const host = request.headers.get("host") ?? "";
  if (!/[?#]/.test(host)) return;
  const got = formatValue(host);
  throw new HttpError(
    400,
    `the Host header must be a host and an optional port, got ${got}`,
  );
}

/** Everything that a handler is given. */
export interface Context {
  /** The request. If it has a body, the body has been read already. */
  readonly request: Request;
  /** The query of the URL, not decoded, without the question mark; may be empty. */
  readonly query: string;
  /** The body without a byte order mark at its start; empty if the request has no body. */
  readonly body: Bytes;
  /** Lets other requests run between the parts of a long computation. */
  readonly yieldControl: YieldControl;
}

/**
 * A function that handles one request, or throws an error for which `toHttpError()` has a
 * status.
 */
export type Handler = (
  context: Context,
) => HandlerResult | Promise<HandlerResult>;

/**
 * An endpoint: a method, a pattern for paths, and the handler for its requests.
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

/** The routes with the same pattern, by method. */
interface Resource {
  readonly pattern: URLPattern;
  readonly routes: Map<string, Route>;
  /** Value of the `Allow` header: the methods of the path (RFC 9110, section 10.2.1). */
  readonly allow: string;
}

/**
 * Value of `Allow` in the response to OPTIONS for an unknown path. A browser may send
 * OPTIONS to ask whether a web page may send a request (a CORS preflight). The answer must
 * be yes for an unknown path too, so that the page can send its request and read the 404.
 */
const ALLOW_ON_UNKNOWN_PATH = "GET, HEAD, POST";

/**
 * Matches the path of a `URLPattern` that stands for exactly one path: a path without the
 * special characters of `URLPattern`.
 */
const LITERAL_PATHNAME = /^[^:*{}()\\?+]*$/;

/** Returns the route of a request, or the response to OPTIONS. */
export type Router = (request: Request, path: string) => Route | Response;

/**
 * Makes a router. In a path, upper and lower case differ, slashes in a row count as one,
 * and one at the end is ignored. A GET route answers HEAD, too. OPTIONS gets 204 and `Allow`
 * for every path. For other methods, the router throws an `HttpError`: 404 for a path that
 * no route has, 405 with `Allow` for a method that no route of the path has.
 */
export function createRouter(routes: readonly Route[]): Router {
  const resources = groupByPath(routes);
  // Patterns that match exactly one path are looked up in a map, because testing a
  // `URLPattern` takes about as long as generating a UUID. Others are tested one by one.
  const literals = new Map<string, Resource>();
  const patterns: Resource[] = [];
  for (const resource of resources) {
    const { pathname } = resource.pattern;
    if (LITERAL_PATHNAME.test(pathname)) literals.set(pathname, resource);
    else patterns.push(resource);
  }

  return function find(request, path) {
    const { method } = request;
    const pathname = normalizeSlashes(path);
    const resource = literals.get(pathname) ??
      patterns.find(({ pattern }) => pattern.test({ pathname }));
    if (method === "OPTIONS") {
      const allow = resource?.allow ?? ALLOW_ON_UNKNOWN_PATH;
      return new Response(null, { status: 204, headers: { allow } });
    }
    if (resource === undefined) {
      throw new HttpError(404, `no such path: ${formatValue(path)}`);
    }
    const { routes, allow } = resource;
    const route = routes.get(method);
    if (route !== undefined) return route;
    const methods = allow.replaceAll(", ", " or ");
    throw new HttpError(
      405,
      `the method must be ${methods}, got ${formatValue(method)}`,
      { allow },
    );
  };
}

function groupByPath(routes: readonly Route[]): Resource[] {
  const byPath = Map.groupBy(routes, ({ pattern }) => pattern.pathname);
  return [...byPath.values()].map((routesOfPath) => {
    const routes = new Map<string, Route>();
    for (const route of routesOfPath) {
      routes.set(route.method, route);
      if (route.method === "GET") routes.set("HEAD", route);
    }
    const { pattern } = routesOfPath[0]!;
    return { pattern, routes, allow: [...routes.keys()].join(", ") };
  });
}

/**
 * Makes slashes in a row one, since some generated clients call `//api/uuid` if their base
 * address ends in a slash. Removes one slash at the end.
 */
export function normalizeSlashes(path: string): string {
  const pathname = path.includes("//") ? path.replaceAll(/\/+/g, "/") : path;
  return pathname.length > 1 && pathname.endsWith("/")
    ? pathname.slice(0, -1)
    : pathname;
}
