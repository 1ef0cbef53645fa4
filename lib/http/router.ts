/**
 * Chooses the handler of a request by its path, then by its method. An unknown path is
 * answered with 404, an unknown method of a known path with 405 and `Allow`.
 */

import { answerOptions } from "./preflight.ts";
import { formatValue } from "../values/format_value.ts";
import { HttpError } from "./http_error.ts";
import type { Pause } from "../operation/operation.ts";
import type { Answer } from "./answer.ts";
import type { Bytes } from "../values/buffer.ts";

/** The body of a request that has none. */
export const NO_BODY: Bytes = new Uint8Array();

/** Everything that a handler is given. */
export interface Context {
  /** The request, whose body has been read already. */
  readonly request: Request;
  /** The request's query, not decoded, without the question mark. */
  readonly query: string;
  /** The bytes of the request's body after a byte order mark, empty if there is none. */
  readonly body: Bytes;
  /** Lets other requests be answered between the parts of a long computation. */
  readonly pause: Pause;
}

/** A function that answers one request, or throws an `HttpError`. */
export type Handler = (context: Context) => Answer | Promise<Answer>;

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
   * Makes the response, in place of the middleware. The promise rejects with the error of the
   * handler, or with one from before it, such as 413.
   */
  readonly respond?: (answering: Promise<Answer>) => Promise<Response>;
}

/** The routes of one path, by method. */
interface Resource {
  readonly pattern: URLPattern;
  readonly routes: Map<string, Route>;
  /** Value of the `Allow` header: the methods of the path (RFC 9110, section 10.2.1). */
  readonly allow: string;
}

/**
 * Value of `Allow` in the response to OPTIONS for an unknown path. A browser may send
 * OPTIONS to ask whether a web page may send a request (a CORS preflight). The answer must
 * be yes here too, so that the page can read the 404.
 */
const ALLOW_ON_UNKNOWN_PATH = "GET, HEAD, POST";

/**
 * Matches patterns that stand for exactly one path: they have no special characters of
 * `URLPattern`.
 */
const LITERAL_PATHNAME = /^[^:*{}()\\?+]*$/;

/** Finds the route of a request, or answers OPTIONS. */
export type Router = (request: Request, path: string) => Route | Response;

/**
 * Makes a router. In a path, upper and lower case differ, and one slash at the end is
 * ignored. Every GET route answers HEAD too, and every path answers OPTIONS with 204 and
 * `Allow`.
 *
 * @throws {HttpError} 404 for a path that no route has, 405 with `Allow` for a method that
 * the path does not have.
 */
export function createRouter(routes: readonly Route[]): Router {
  const resources = groupByPath(routes);
  // Patterns that stand for one path are looked up in a map; only the others are tried one
  // by one.
  const literals = new Map<string, Resource>();
  const patterns: Resource[] = [];
  for (const resource of resources) {
    const { pathname } = resource.pattern;
    if (LITERAL_PATHNAME.test(pathname)) literals.set(pathname, resource);
    else patterns.push(resource);
  }

  return function find(request, path) {
    const { method } = request;
    const pathname = trimTrailingSlash(path);
    const resource = literals.get(pathname) ??
      patterns.find(({ pattern }) => pattern.test({ pathname }));
    if (method === "OPTIONS") {
      return answerOptions(request, resource?.allow ?? ALLOW_ON_UNKNOWN_PATH);
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

function trimTrailingSlash(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith("/")
    ? pathname.slice(0, -1)
    : pathname;
}
