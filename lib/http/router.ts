/**
 * Chooses the handler of a request by its path, then by its method. An unknown path is
 * answered with 404, an unknown method of a known path with 405 and `Allow`.
 */

import type { RequestScope } from "../load/load.ts";
import { answerOptions } from "./preflight.ts";
import { formatValue } from "../format_value.ts";
import { HttpError } from "../http_error.ts";
import { dropBody } from "./head.ts";
import type { Fields } from "./fields.ts";

/** Everything that a handler is given besides the request. */
export interface Context extends RequestScope {
  /** The request's path, not decoded. */
  readonly path: string;
  /** The request's query, not decoded, without the question mark. */
  readonly query: string;
  /**
   * The input of a tool call or a command, which has no request body; otherwise
   * `undefined`.
   */
  readonly fields?: Fields | undefined;
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean;
}

/** A function that answers one request, or throws an `HttpError`. */
export type Handler = (
  request: Request,
  context: Context,
) => Response | Promise<Response>;

/**
 * An endpoint: a method, a pattern for paths, and the handler for its requests.
 *
 * @internal
 */
export interface Route {
  readonly method: "GET" | "POST";
  readonly pattern: URLPattern;
  readonly handler: Handler;
}

/** The handlers of one path, by method. */
interface Resource {
  readonly pattern: URLPattern;
  readonly handlers: Map<string, Handler>;
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

/**
 * Makes one handler from a list of routes. In a path, upper and lower case differ, and one
 * slash at the end is ignored. Every GET route answers HEAD too, and every path answers
 * OPTIONS with 204 and `Allow`.
 *
 * @throws {HttpError} 404 for a path that no route has, 405 with `Allow` for a method that
 * the path does not have.
 */
export function createRouter(routes: readonly Route[]): Handler {
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

  return function dispatch(request, context) {
    const { method } = request;
    const pathname = trimTrailingSlash(context.path);
    const resource = literals.get(pathname) ??
      patterns.find(({ pattern }) => pattern.test({ pathname }));
    if (method === "OPTIONS") {
      return answerOptions(request, resource?.allow ?? ALLOW_ON_UNKNOWN_PATH);
    }
    if (resource === undefined) {
      throw new HttpError(404, `no such path: ${formatValue(context.path)}`);
    }
    const { handlers, allow } = resource;
    const handler = handlers.get(method);
    if (handler !== undefined) return handler(request, context);
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
    const handlers = new Map<string, Handler>();
    for (const { method, handler } of routesOfPath) {
      handlers.set(method, handler);
      if (method === "GET") handlers.set("HEAD", withoutBody(handler));
    }
    const { pattern } = routesOfPath[0]!;
    return { pattern, handlers, allow: [...handlers.keys()].join(", ") };
  });
}

function withoutBody(handler: Handler): Handler {
  return async (request, context) => dropBody(await handler(request, context));
}

function trimTrailingSlash(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith("/")
    ? pathname.slice(0, -1)
    : pathname;
}
