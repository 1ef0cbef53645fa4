/**
 * Headers of the page and of its files: media types, caching, and what the browser permits
 * to them.
 *
 * @module
 */

/**
 * Permits the page to load scripts, styles, icons and its manifest from its origin, and to
 * show images of `data:` and `blob:` URLs. The browser blocks `fetch()`, forms, beacons and
 * sockets, but not navigations and the addresses of those files, which
 * `tests/web/sources_test.ts` searches for. With Trusted Types, it starts no script but those
 * that `web/page.js` names. No page may frame it.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "connect-src 'none'",
  "script-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types default",
  "style-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The policy of a worker is that of its own response, not that of the page. */
const WORKER_POLICY =
  "default-src 'none'; connect-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** Media types of the files, by the ends of their names. */
const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};

/** Headers of the page. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": PAGE_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};

/** Headers of the script that removes the service worker of earlier versions. */
export const SERVICE_WORKER_HEADERS: Readonly<Record<string, string>> = {
  "content-type": TYPES["js"]!,
  "content-security-policy": "default-src 'none'",
};

/** Returns the headers of a file of one version. Browsers need never ask for it again. */
export function createFileHeaders(path: string): Record<string, string> {
  return {
    "content-type": TYPES[path.slice(path.lastIndexOf(".") + 1)]!,
    "cache-control": "public, max-age=31536000, immutable",
    ...(path === "worker.js" && { "content-security-policy": WORKER_POLICY }),
  };
}
