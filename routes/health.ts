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
import type { Context } from "../lib/http/router.ts";

/** Answers `{"status": "ok"}`, or 503 while the service is shutting down. */
export function health(_request: Request, { isStopping }: Context): object {
  if (isStopping()) throw new HttpError(503, "the service is shutting down");
  return { status: "ok" };
}
