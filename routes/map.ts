/** The route map: the pattern, method, and handler of every endpoint. */

import { createRoute } from "../lib/http/endpoint.ts";
import type { Route } from "../lib/http/router.ts";
import { createDocs } from "./docs.ts";
import { createHealth } from "./health.ts";
import { mcp, respondToAgent } from "./mcp.ts";
import { openapi } from "./openapi.ts";
import { loadOperations } from "./operations.ts";
import { file, FILE_PATTERN, page, removal } from "./web.ts";

const operations = await loadOperations();

/** Options of the routes. */
export interface RouteOptions {
  /** Maximum size of a request body, in bytes. */
  readonly maxBodyBytes: number;
  /**
   * Returns whether the service is shutting down. While it returns `true`, `/healthz` responds
   * with status 503. The default function always returns `false`.
   */
  readonly isShuttingDown: () => boolean;
}

// deno-fmt-ignore
export function createRoutes({ maxBodyBytes, isShuttingDown }: RouteOptions): Route[] {
  return [
    ...operations.map(createRoute),
    { pattern: path("/healthz"),      method: "GET",  handler: createHealth(isShuttingDown) },
    { pattern: path("/mcp"),          method: "POST", handler: mcp, respond: respondToAgent },
    { pattern: path("/openapi.json"), method: "GET",  handler: openapi },
    { pattern: path("/docs"),         method: "GET",  handler: createDocs(maxBodyBytes) },
    { pattern: path("/"),             method: "GET",  handler: page },
    { pattern: FILE_PATTERN,          method: "GET",  handler: file },
    // Earlier versions of the page registered a service worker at this path.
    { pattern: path("/service_worker.js"), method: "GET", handler: removal },
  ];
}

function path(pathname: string): URLPattern {
  return new URLPattern({ pathname });
}
