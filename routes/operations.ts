/** The operations: the endpoints that are also tools for agents, and commands in a terminal. */

import type { Route } from "../lib/http/router.ts";
import { base64 } from "./base64.ts";
import { hash } from "./hash.ts";
import { json } from "./json.ts";
import { password } from "./password.ts";
import { uuid } from "./uuid.ts";

/**
 * The endpoints of all operations. A new operation needs a module beside this one, a line
 * here, a description in openapi.json, and a command: see docs/development.md.
 */
// deno-fmt-ignore
export const OPERATIONS: readonly Route[] = [
  { pattern: path("/api/base64"),   method: "POST", handler: base64 },
  { pattern: path("/api/hash"),     method: "POST", handler: hash },
  { pattern: path("/api/uuid"),     method: "GET",  handler: uuid },
  { pattern: path("/api/password"), method: "GET",  handler: password },
  { pattern: path("/api/json"),     method: "POST", handler: json },
];

/** Makes the URL pattern that matches a path on every host. */
export function path(pathname: string): URLPattern {
  return new URLPattern({ pathname });
}
