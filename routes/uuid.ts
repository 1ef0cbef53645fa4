/**
 * `GET /api/uuid`: version 4 UUIDs (RFC 9562, section 5.4).
 *
 * ```
 * /api/uuid          →  {"uuid": "f47ac10b-58cc-4372-a567-0e02b2c3d479"}
 * /api/uuid?count=2  →  {"uuids": ["…", "…"]}
 * ```
 *
 * @module
 */

import { readInteger } from "../lib/http/query.ts";
import type { Context } from "../lib/http/router.ts";

/** Largest `count`, inclusive. */
export const MAX_COUNT = 100;

/** Answers with one UUID, or with a list if `count` is given. */
export function uuid(_request: Request, context: Context): object {
  const count = readInteger(new URLSearchParams(context.query), "count", {
    min: 1,
    max: MAX_COUNT,
  });
  if (count === undefined) return { uuid: crypto.randomUUID() };
  return { uuids: Array.from({ length: count }, () => crypto.randomUUID()) };
}
