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

/** Creates a handler that answers `{"status": "ok"}`, or 503 while the service is shutting down. */
export function createHealth(isStopping: () => boolean): Handler {
  return function health() {
    if (isStopping()) throw new HttpError(503, "the service is shutting down");
    return { status: "ok" };
  };
}
