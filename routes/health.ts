/**
 * `GET /healthz`: reports to load balancers whether the service accepts requests.
 *
 * ```
 * /healthz  →  {"status": "ok"}
 * ```
 *
 * @module
 */

import { HttpError } from "../lib/http/response.ts";
import type { Handler } from "../lib/http/router.ts";

/** Creates a handler that returns `{"status": "ok"}`, or 503 while the service shuts down. */
export function createHealth(isShuttingDown: () => boolean): Handler {
  return function health() {
    // A server that shuts down delays its responses, except those with `Connection: close`.
    if (isShuttingDown()) {
      const message = "the service is shutting down";
      throw new HttpError(503, message, { connection: "close" });
    }
    return { status: "ok" };
  };
}
