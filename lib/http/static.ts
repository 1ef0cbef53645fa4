/** Texts that never change while the service runs: the page and its parts. */

import { eTag, ifNoneMatch } from "@std/http/etag";
import type { Handler } from "./router.ts";

/** What a client says that takes gzip (RFC 9110, section 12.5.3), but for a weight of 0. */
const ACCEPTS_GZIP =
  /(?:^|,)[ \t]*gzip[ \t]*(?:,|$|;[ \t]*q=(?!0(?:\.0*)?[ \t]*(?:,|$)))/i;

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
  let plain: Promise<Representation> | undefined;
  let compressed: Promise<Representation> | undefined;

  async function prepare(coding?: "gzip"): Promise<Representation> {
    const plainEtag = await eTag(text);
    // Each coding has its own bytes (RFC 9110, section 8.8.3.3).
    const etag = coding ? plainEtag.replace(/"$/, `-${coding}"`) : plainEtag;
    const common = {
      "cache-control": "no-cache",
      "access-control-expose-headers": "etag",
      vary: "accept-encoding",
      etag,
      ...headers,
    };
    return coding
      ? {
        body: await compress(text, coding),
        headers: { ...common, "content-encoding": coding },
      }
      : { body: text, headers: common };
  }

  return async function answer(request) {
    // Not before it is asked for: nothing should wait at the start.
    const accepted = request.headers.get("accept-encoding") ?? "";
    const { body, headers } = ACCEPTS_GZIP.test(accepted)
      ? await (compressed ??= prepare("gzip"))
      : await (plain ??= prepare());
    if (!ifNoneMatch(request.headers.get("if-none-match"), headers.etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(body, { headers });
  };
}

async function compress(
  text: string,
  coding: CompressionFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream()
    .pipeThrough(new CompressionStream(coding));
  return await new Response(stream).bytes();
}
