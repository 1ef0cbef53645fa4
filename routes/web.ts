/**
 * `GET /`, `/style.css`, `/app.js`: the page for people. It is imported as text,
 * so that a compiled binary and Deno Deploy carry it.
 *
 * @module
 */

import { createStaticHandler } from "../lib/http/static.ts";
import app from "../web/app.js" with { type: "text" };
import page from "../web/index.html" with { type: "text" };
import style from "../web/style.css" with { type: "text" };

/** The page may load its own script and style, and call its own origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Answers the page. */
export const index = createStaticHandler(page, {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
});

/** Answers the page's style sheet. */
export const stylesheet = createStaticHandler(style, {
  "content-type": "text/css; charset=utf-8",
});

/** Answers the page's script. */
export const script = createStaticHandler(app, {
  "content-type": "text/javascript; charset=utf-8",
});
