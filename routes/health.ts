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

export function createHealth(isShuttingDown: () => boolean): Handler {
  return function health() {
    // During a shutdown, responses are delayed unless they have `Connection: close`.
    if (isShuttingDown()) {
      const message = "the service is shutting down";
      const headers = { connection: "close", "retry-after": "1" };
      throw new HttpError(503, message, headers);
    }
    return { status: "ok" };
  };
}
