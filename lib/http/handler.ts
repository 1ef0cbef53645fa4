/** Dispatches requests to the handlers of their routes. */

import { noYield } from "../operation/context.ts";
import { skipByteOrderMark } from "../utf8.ts";
import {
  type BodyRunner,
  type Compute,
  NO_BODY,
  type ServeInfo,
} from "./body.ts";
import {
  type FetchHandler,
  withCorsAndErrors,
  withRequestLog,
} from "./middleware.ts";
import type { HandlerResult } from "./response.ts";
import { checkHost, createRouter, readTarget, type Route } from "./router.ts";

export interface HandlerParts {
  readonly routes: readonly Route[];
  readonly runWithBody: BodyRunner;
  /** Whether to log one line for each request. */
  readonly logRequests: boolean;
}

export function createRequestHandler(
  { routes, runWithBody, logRequests }: HandlerParts,
): FetchHandler {
  const findRoute = createRouter(routes);

  function handle(
    request: Request,
    info?: ServeInfo,
  ): HandlerResult | Promise<HandlerResult> {
    checkHost(request);
    const { path, query } = readTarget(request);
    const route = findRoute(request, path);
    if (route instanceof Response) return route;
    const { method, handler, respond } = route;
    if (method === "GET") {
      return handler({ request, query, body: NO_BODY, yieldControl: noYield });
    }
    const compute: Compute = (received, yieldControl) => {
      const body = skipByteOrderMark(received);
      return handler({ request, query, body, yieldControl });
    };
    const pending = runWithBody(request, info, compute);
    return respond === undefined ? pending : respond(pending);
  }

  const respondToAll = withCorsAndErrors(handle);
  return logRequests ? withRequestLog(respondToAll) : respondToAll;
}
