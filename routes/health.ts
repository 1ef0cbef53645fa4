/**
 * `GET /healthz`: whether the service accepts requests, for load balancers.
 *
 * ```
 * /healthz  →  {"status": "ok"}
 * ```
 *
 * @module
 */

import { HttpError } from "../lib/http/http_error.ts";
import type { Handler } from "../lib/http/router.ts";

/**
 * Creates a handler that answers `{"status": "ok"}`, or 503 while the service is shutting
 * down.
 */
export function createHealth(isStopping: () => boolean): Handler {
  return function health() {
    // While the server stops, it holds responses back, but for those that close their
    // connection: so a load balancer hears of the stop at once.
    if (isStopping()) {
      const message = "the service is shutting down";
      throw new HttpError(503, message, { connection: "close" });
    }
    return { status: "ok" };
  };
}
