/** Handlers for texts that do not change while the service runs, such as the page. */

import { eTag, ifNoneMatch } from "@std/http/etag";
import { acceptsEncodings } from "@std/http/negotiation";
import type { Handler } from "./router.ts";

/** Longest `If-None-Match` that is read, in characters, inclusive. Hundreds of entity tags fit. */
const MAX_IF_NONE_MATCH_LENGTH = 4096;

/**
 * Tells workerd (the runtime of Cloudflare Workers) not to compress the body again; other
 * runtimes ignore this option.
 */
const ENCODED = { encodeBody: "manual" };

/** A content coding (RFC 9110, section 8.4.1). */
type Coding = "identity" | "gzip";

/** The text in one content coding, and the headers of its response. */
interface Representation {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: { readonly etag: string } & Record<string, string>;
}

/**
 * Makes a handler that answers with a text, compressed if the client prefers gzip (RFC
 * 9110, section 12.5.3). If `If-None-Match` has the text's `ETag` (section 13.1.2), the
 * handler answers 304 without the text. Clients may cache the text, but must revalidate
 * it before each use.
 */
export function createStaticHandler(
  text: string,
  headers: Readonly<Record<string, string>>,
): Handler {
  const prepared = new Map<Coding, Promise<Representation>>();

  /** Returns the text in a content coding; the first request for the coding prepares it. */
  function get(coding: Coding): Promise<Representation> {
    const known = prepared.get(coding);
    if (known !== undefined) return known;
    const representation = prepare(coding);
    prepared.set(coding, representation);
    // If the preparation fails, for example for lack of memory, the next request tries again.
    representation.catch(() => prepared.delete(coding));
    return representation;
  }

  async function prepare(coding: Coding): Promise<Representation> {
    const plainEtag = await eTag(text);
    // Each coding has an ETag of its own (RFC 9110, section 8.8.3.3).
    const etag = coding === "identity"
      ? plainEtag
      : plainEtag.replace(/"$/, `-${coding}"`);
    const common = {
      "cache-control": "no-cache",
      "access-control-expose-headers": "etag",
      vary: "accept-encoding",
      etag,
      ...headers,
    };
    if (coding === "identity") return { body: text, headers: common };
    return {
      body: await compress(text, coding),
      headers: { ...common, "content-encoding": coding },
    };
  }

  return async function answer(request) {
    const { body, headers } = await get(chooseCoding(request));
    if (!ifNoneMatch(readIfNoneMatch(request), headers.etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(body, { headers, ...ENCODED });
  };
}

/**
 * Reads `If-None-Match`. A value above `MAX_IF_NONE_MATCH_LENGTH` counts as absent, so
 * that the client gets the text.
 */
function readIfNoneMatch({ headers }: Request): string | null {
  const value = headers.get("if-none-match");
  if (value === null || value.length > MAX_IF_NONE_MATCH_LENGTH) return null;
  // White space is removed, since `ifNoneMatch()` splits the list by a regular expression
  // that takes quadratic time for white space. Entity tags contain none (RFC 9110,
  // section 8.8.3).
  return value.replaceAll(/\s+/g, "");
}

function chooseCoding(request: Request): Coding {
  // Without `Accept-Encoding` any coding is allowed (RFC 9110, section 12.5.3), but many
  // programs that do not send it cannot read gzip.
  if (!request.headers.get("accept-encoding")) return "identity";
  return acceptsEncodings(request, "gzip", "identity") === "gzip"
    ? "gzip"
    : "identity";
}

async function compress(
  text: string,
  coding: CompressionFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream()
    .pipeThrough(new CompressionStream(coding));
  return await new Response(stream).bytes();
}
