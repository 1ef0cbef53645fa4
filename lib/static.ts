/** Texts that never change while the service runs: the page and its parts. */

import { eTag, ifNoneMatch } from "@std/http/etag";
import type { Handler } from "./router.ts";

/**
 * Makes a handler that answers with a text, or with 304 where the client has it
 * already (RFC 9110, section 13.1.2). Clients may keep it, but ask each time.
 */
export async function createStaticHandler(
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<Handler> {
  const etag = await eTag(text) ?? "";
  const allHeaders = { "cache-control": "no-cache", etag, ...headers };
  return function answer(request) {
    if (!ifNoneMatch(request.headers.get("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers: allHeaders });
    }
    return new Response(text, { headers: allHeaders });
  };
}
