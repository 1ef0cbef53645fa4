/** Headers of the page and its files: media types, caching, and policies. */

/**
 * Allows scripts, styles, icons, and the manifest from the page's origin, and images with
 * `data:` and `blob:` URLs. Blocks `fetch()`, forms, beacons, sockets, and framing. It can't
 * block navigation or requests for allowed files, so `tests/web/sources_test.ts` searches for
 * code that could misuse them. With Trusted Types, the page can load only the scripts that
 * `web/page.js` names.
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

/** A worker is subject to the policy in its own response, not to the page's policy. */
const WORKER_POLICY =
  "default-src 'none'; connect-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** Media types by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": PAGE_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};

export const SERVICE_WORKER_HEADERS: Readonly<Record<string, string>> = {
  "content-type": TYPES["js"]!,
  "content-security-policy": "default-src 'none'",
};

/** Returns the headers of a versioned file, which browsers never need to revalidate. */
export function createFileHeaders(path: string): Record<string, string> {
  return {
    "content-type": TYPES[path.slice(path.lastIndexOf(".") + 1)]!,
    "cache-control": "public, max-age=31536000, immutable",
    ...(path === "worker.js" && { "content-security-policy": WORKER_POLICY }),
  };
}
