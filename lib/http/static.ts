/**
 * Handlers for texts and bytes that do not change while the service runs, such as the HTML
 * of the web page.
 */

import { eTag, ifNoneMatch } from "@std/http/etag";
import { acceptsEncodings } from "@std/http/negotiation";
import { ENCODED } from "./response.ts";
import type { Bytes } from "../buffer.ts";

/**
 * Longest value of the headers `If-None-Match` and `Accept-Encoding` that is read, in
 * characters, inclusive: space for about a hundred of the service's entity tags.
 */
const MAX_HEADER_LENGTH = 4096;

/** A content coding (RFC 9110, section 8.4.1). */
type Coding = "identity" | "gzip";

/** The content in one content coding, and the headers of its response. */
interface Representation {
  readonly body: string | Bytes;
  readonly headers: { readonly etag: string } & Record<string, string>;
}

/** Answers a request with the content, or with 304. */
export type StaticHandler = (
  context: { readonly request: Request },
) => Promise<Response>;

/**
 * Makes a handler that answers with a text or with bytes, compressed if
 * `Accept-Encoding` allows gzip and does not prefer `identity` (RFC 9110, section 12.5.3).
 * If `If-None-Match` matches the `ETag` (section 13.1.2), the client has the content
 * already, and gets a 304. Clients may cache the content, but must revalidate it before each
 * use, unless `headers` have another `cache-control`.
 *
 * @param headers Further headers of the response, with names in lower case.
 */
export function createStaticHandler(
  content: string | Bytes,
  headers: Readonly<Record<string, string>>,
): StaticHandler {
  const prepared = new Map<Coding, Promise<Representation>>();

  /**
   * Returns the content in a coding. The first call for `gzip` compresses it;
   * later calls return the result of the first.
   */
  function get(coding: Coding): Promise<Representation> {
    const known = prepared.get(coding);
    if (known !== undefined) return known;
    const representation = prepare(coding);
    prepared.set(coding, representation);
    // If `prepare()` fails, for example for lack of memory, the next request calls it
    // again.
    representation.catch(() => prepared.delete(coding));
    return representation;
  }

  async function prepare(coding: Coding): Promise<Representation> {
    // `eTag()` takes texts only.
    const text = typeof content === "string"
      ? content
      : new TextDecoder("latin1").decode(content);
    const plainEtag = await eTag(text);
    // Each coding needs an ETag of its own (RFC 9110, section 8.8.3.3).
    const etag = coding === "identity"
      ? plainEtag
      : plainEtag.replace(/"$/, `-${coding}"`);
    const common = {
      "cache-control": "no-cache",
      vary: "accept-encoding",
      etag,
      ...headers,
    };
    if (coding === "identity") return { body: content, headers: common };
    return {
      body: await compress(content, coding),
      headers: { ...common, "content-encoding": coding },
    };
  }

  return async function answer({ request }) {
    const { body, headers } = await get(chooseCoding(request));
    if (!ifNoneMatch(readIfNoneMatch(request), headers.etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(body, { headers, ...ENCODED });
  };
}

/**
 * Returns the value of `If-None-Match` without white space; `null` if the header is absent,
 * or longer than `MAX_HEADER_LENGTH`. A client with a longer value gets the content,
 * even if it has it already.
 */
function readIfNoneMatch({ headers }: Request): string | null {
  const value = headers.get("if-none-match");
  if (value === null || value.length > MAX_HEADER_LENGTH) return null;
  // White space is removed, since a regular expression in `ifNoneMatch()` takes quadratic
  // time for it. Entity tags contain no white space (RFC 9110, section 8.8.3).
  return value.replaceAll(/\s+/g, "");
}

function chooseCoding(request: Request): Coding {
  // Without `Accept-Encoding` any coding is allowed (RFC 9110, section 12.5.3), but many
  // programs that do not send this header cannot read gzip.
  const accepted = request.headers.get("accept-encoding");
  if (!accepted || accepted.length > MAX_HEADER_LENGTH) return "identity";
  return acceptsEncodings(request, "gzip", "identity") === "gzip"
    ? "gzip"
    : "identity";
}

async function compress(
  content: string | Bytes,
  coding: CompressionFormat,
): Promise<Bytes> {
  const stream = new Blob([content]).stream()
    .pipeThrough(new CompressionStream(coding));
  return await new Response(stream).bytes();
}
