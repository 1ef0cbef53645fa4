/** Texts that never change while the service runs: the page and its parts. */

import { eTag, ifNoneMatch } from "@std/http/etag";
import { acceptsEncodings } from "@std/http/negotiation";
import type { Handler } from "./router.ts";

/** How a text may be encoded. */
type Coding = "identity" | "gzip";

/** A text as it is sent, plain or compressed. */
interface Representation {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: { readonly etag: string } & Record<string, string>;
}

/**
 * Makes a handler that answers with a text, compressed where the client takes
 * gzip, or with 304 where the client has it already (RFC 9110, section 13.1.2).
 * Clients may keep it, but ask each time.
 */
export function createStaticHandler(
  text: string,
  headers: Readonly<Record<string, string>>,
): Handler {
  const prepared = new Map<Coding, Promise<Representation>>();

  /** Prepares a representation at its first request, so that nothing waits at the start. */
  function get(coding: Coding): Promise<Representation> {
    const known = prepared.get(coding);
    if (known !== undefined) return known;
    const representation = prepare(coding);
    prepared.set(coding, representation);
    // A failure, such as of memory, is for this request only.
    representation.catch(() => prepared.delete(coding));
    return representation;
  }

  async function prepare(coding: Coding): Promise<Representation> {
    const plainEtag = await eTag(text);
    // Each coding has its own bytes (RFC 9110, section 8.8.3.3).
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
    if (!ifNoneMatch(request.headers.get("if-none-match"), headers.etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(body, { headers });
  };
}

/** The coding that the client prefers (RFC 9110, section 12.5.3). */
function chooseCoding(request: Request): Coding {
  // Without the header any coding is allowed, but few programs expect one.
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
