/** Texts that never change while the service runs: the page and its parts. */

import { eTag, ifNoneMatch } from "@std/http/etag";
import type { Handler } from "./router.ts";

/**
 * Makes a handler that answers with a text, or with 304 where the client has it
 * already (RFC 9110, section 13.1.2). Clients may keep it, but ask each time.
 */
export function createStaticHandler(
  text: string,
  headers: Readonly<Record<string, string>>,
): Handler {
  let computing: Promise<string | undefined> | undefined;
  return async function answer(request) {
    // Not before it is asked for: nothing should wait at the start.
    computing ??= eTag(text);
    const etag = await computing ?? "";
    const allHeaders = {
      "cache-control": "no-cache",
      "access-control-expose-headers": "etag",
      etag,
      ...headers,
    };
    if (!ifNoneMatch(request.headers.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers: allHeaders });
    }
    return new Response(text, { headers: allHeaders });
  };
}
