/**
 * `GET /docs`: the API reference as one HTML page without scripts. The sections about
 * operations are generated from their definitions. `routes/docs.html` contains the other sections.
 *
 * @module
 */

import { encodeBase64 } from "../lib/base64.ts";
import {
  BASE_URL,
  renderCall,
  renderContents,
  renderSections,
  renderTools,
} from "../lib/http/reference.ts";
import { type Handler, readTarget } from "../lib/http/router.ts";
import { toUtf8 } from "../lib/utf8.ts";
import style from "./docs.css" with { type: "text" };
import html from "./docs.html" with { type: "text" };
import { loadOperations } from "./operations.ts";
import { PAGE_HEADERS } from "./web_headers.ts";

const operations = await loadOperations();

const styleDigest = await crypto.subtle.digest("SHA-256", toUtf8(style));

/** Allows only the page's icon and its own style, which is identified by its digest. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${encodeBase64(new Uint8Array(styleDigest))}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The placeholder for the relative path to `/`. */
const ROOT = "{root}";

/**
 * Creates the page's handler. Only the base URL in example calls and the relative path to
 * `/` depend on the request.
 *
 * @param maxBodyBytes Maximum size of a request body, in bytes.
 */
export function createDocs(maxBodyBytes: number): Handler {
  const parts: Readonly<Record<string, string>> = {
    style: `<style>${style}</style>`,
    contents: renderContents(operations),
    operations: renderSections(operations),
    tools: renderTools(operations),
    maxBodyBytes: maxBodyBytes.toLocaleString("en"),
    health: renderCall({
      path: "/healthz",
      status: 200,
      result: { status: "ok" },
    }),
  };
  const page = html.replaceAll(
    /\{(\w+)\}/g,
    (placeholder, name: string) => parts[name] ?? placeholder,
  ).replaceAll(/<(code|samp)>/g, '<$1 translate="no">');

  return function handle({ request }) {
    // The path is relative, because a proxy can serve the page under a path prefix.
    const root = readTarget(request).path.endsWith("/") ? "../" : "";
    const content = page.replaceAll(ROOT, root)
      .replaceAll(BASE_URL, readBaseUrl(request));
    return new Response(content, {
      headers: {
        ...PAGE_HEADERS,
        "content-security-policy": CONTENT_SECURITY_POLICY,
        // RFC 8631, section 4.2.
        link: `<${root}openapi.json>; rel="service-desc"`,
      },
    });
  };
}

/** Matches a host name or IP address with an optional port. */
const PLAIN_HOST =
  /^(?:[A-Za-z0-9][\w.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/**
 * Matches a path of at most 200 characters. Each segment consists of letters, digits, `_`, `-`,
 * and `.`, and contains at least one character that isn't a dot.
 */
const PLAIN_PATH = /^(?=.{1,200}$)(?:\/(?!\.+(?:\/|$))[\w.-]+)+$/;

/**
 * Returns the base URL of a request without a trailing slash, such as
 * `https://example.com/tools`. A proxy can send the scheme in `X-Forwarded-Proto` and the path
 * prefix in `X-Forwarded-Prefix`. Unusual values are ignored, so that the URL never contains
 * characters that are special in HTML or in a double-quoted shell string.
 */
function readBaseUrl({ url, headers }: Request): string {
  // HTTP/2 requests have no `Host` header, but their URLs contain the authority.
  const host = headers.get("host") ?? /^[^/]*\/\/([^/?#]*)/.exec(url)?.[1] ??
    "";
  if (!PLAIN_HOST.test(host)) return "http://localhost:8000";
  const proto = headers.get("x-forwarded-proto") ?? "";
  const isForwarded = proto === "http" || proto === "https";
  const scheme = isForwarded ? proto : /^https?/.exec(url)?.[0];
  const prefix = headers.get("x-forwarded-prefix")?.replace(/\/$/, "") ?? "";
  return `${scheme}://${host}${PLAIN_PATH.test(prefix) ? prefix : ""}`;
}
