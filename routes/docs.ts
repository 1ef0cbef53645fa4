/**
 * `GET /docs`: the reference of the API for people, one HTML page without scripts. The
 * sections of the operations are made from their definitions; `routes/docs.html` has the
 * other sections.
 *
 * @module
 */

import { encodeBase64 } from "../lib/base64.ts";
import { HttpError } from "../lib/http/response.ts";
import { readBaseAddress } from "../lib/http/base_address.ts";
import {
  BASE_ADDRESS,
  writeCall,
  writeContents,
  writeSections,
  writeTools,
} from "../lib/http/reference.ts";
import { type Handler, readTarget } from "../lib/http/router.ts";
import { formatValue } from "../lib/format_value.ts";
import style from "./docs.css" with { type: "text" };
import html from "./docs.html" with { type: "text" };
import { loadOperations } from "./operations.ts";

const operations = await loadOperations();

const styleDigest = await crypto.subtle.digest(
  "SHA-256",
  new TextEncoder().encode(style),
);

/** Permits the page its own style, named by its digest, and its icon. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${encodeBase64(new Uint8Array(styleDigest))}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Largest number of slashes at the end of the page's path, inclusive. */
const MAX_SLASHES = 16;

/** Stands in the HTML for the relative path to `/`. */
const ROOT = "{root}";

/**
 * Creates the handler of the page. Of a request, only the base address in the calls depends
 * on it, and the relative addresses, which have to hold below `/docs/` too.
 *
 * @param maxBodyBytes Largest request body, in bytes, inclusive.
 */
export function createDocs(maxBodyBytes: number): Handler {
  const parts: Readonly<Record<string, string>> = {
    style: `<style>${style}</style>`,
    contents: writeContents(operations),
    operations: writeSections(operations),
    tools: writeTools(operations),
    maxBodyBytes: maxBodyBytes.toLocaleString("en"),
    health: writeCall({
      path: "/healthz",
      status: 200,
      answer: { status: "ok" },
    }),
  };
  const page = html.replaceAll(
    /\{(\w+)\}/g,
    (placeholder, name: string) => parts[name] ?? placeholder,
  ).replaceAll(/<(code|samp)>/g, '<$1 translate="no">');

  return function answer({ request }) {
    const root = findRoot(readTarget(request).path);
    const text = page.replaceAll(ROOT, root)
      .replaceAll(BASE_ADDRESS, readBaseAddress(request));
    return new Response(text, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": CONTENT_SECURITY_POLICY,
        "cross-origin-opener-policy": "same-origin",
        // RFC 8631, section 4.2.
        link: `<${root}openapi.json>; rel="service-desc"`,
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
      },
    });
  };
}

/**
 * Returns the relative path from a page at `path` to `/`: empty at `/docs`, `../` at
 * `/docs/`.
 *
 * @throws {HttpError} 404 for more than 16 slashes at the end: the page repeats them.
 */
function findRoot(path: string): string {
  let slashes = 0;
  while (path.at(-1 - slashes) === "/") slashes += 1;
  if (slashes > MAX_SLASHES) {
    throw new HttpError(404, `no such path: ${formatValue(path)}`);
  }
  return "../".repeat(slashes);
}
