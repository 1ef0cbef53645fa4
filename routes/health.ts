/**
 * `GET /healthz`: tells load balancers whether to send requests to the service.
 *
 * ```
 * /healthz  →  {"status": "ok"}
 * ```
 *
 * @module
 */

import { HttpError } from "../lib/http/response.ts";
import type { Handler } from "../lib/http/router.ts";

/**
 * Creates a handler that answers `{"status": "ok"}`, or status 503 while the service is
 * shutting down.
 */
export function createHealth(isShuttingDown: () => boolean): Handler {
  return function health() {
    // A server that stops holds its responses back, except those with `Connection: close`.
    // With this header, the load balancer gets the 503 at once.
    if (isShuttingDown()) {
      const message = "the service is shutting down";
      throw new HttpError(503, message, { connection: "close" });
    }
    return { status: "ok" };
  };
}
