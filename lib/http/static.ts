/** Handlers for constant content, such as the web page. */

import { eTag, ifNoneMatch } from "@std/http/etag";
import { acceptsEncodings } from "@std/http/negotiation";
import { ENCODED } from "./response.ts";
import type { Bytes } from "../buffer.ts";

/** Maximum length of a request header that is read, which is enough for about 100 entity tags. */
const MAX_HEADER_LENGTH = 4096;

/** A content coding (RFC 9110, section 8.4.1). */
type Coding = "identity" | "gzip";

/**
 * Creates a handler that sends a string or bytes. Uses gzip if `Accept-Encoding` allows it and
 * doesn't prefer `identity` (RFC 9110, section 12.5.3), and responds with 304 if `If-None-Match`
 * matches the `ETag` (section 13.1.2). By default, clients must revalidate cached content.
 *
 * @param headers Additional headers, with lowercase names.
 */
export function createStaticHandler(
  content: string | Bytes,
  headers: Readonly<Record<string, string>>,
): (context: { readonly request: Request }) => Promise<Response> {
  const prepared: Partial<Record<Coding, ReturnType<typeof prepare>>> = {};

  async function prepare(coding: Coding) {
    const isPlain = coding === "identity";
    const body = isPlain ? content : await compress(content);
    // `eTag()` accepts only strings.
    const string = typeof body === "string"
      ? body
      : new TextDecoder("latin1").decode(body);
    return {
      body,
      headers: {
        "cache-control": "no-cache",
        vary: "accept-encoding",
        etag: await eTag(string),
        ...headers,
        ...(!isPlain && { "content-encoding": coding }),
      },
    };
  }

  return async function handle({ request }) {
    const coding = acceptsGzip(request) ? "gzip" : "identity";
    const { body, headers } = await (prepared[coding] ??= prepare(coding));
    if (!ifNoneMatch(readIfNoneMatch(request), headers.etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(body, { headers, ...ENCODED });
  };
}

function readIfNoneMatch({ headers }: Request): string | null {
  const value = headers.get("if-none-match");
  if (value === null || value.length > MAX_HEADER_LENGTH) return null;
  // `ifNoneMatch()` takes quadratic time to process whitespace, which entity tags don't contain
  // (RFC 9110, section 8.8.3).
  return value.replaceAll(/\s+/g, "");
}

function acceptsGzip(request: Request): boolean {
  // Without this header, any coding is allowed (RFC 9110, section 12.5.3), but many programs
  // that don't send it cannot read gzip.
  const accepted = request.headers.get("accept-encoding");
  if (!accepted || accepted.length > MAX_HEADER_LENGTH) return false;
  return acceptsEncodings(request, "gzip", "identity") === "gzip";
}

async function compress(content: string | Bytes): Promise<Bytes> {
  const stream = new Blob([content]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return await new Response(stream).bytes();
}
