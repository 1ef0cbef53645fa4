/**
 * `GET /`, the page for people, and the files that the page loads. They are imported as
 * text, so that a compiled binary and Deno Deploy contain them.
 *
 * @module
 */

import type { Context } from "../lib/http/router.ts";
import { createStaticHandler, type StaticHandler } from "../lib/http/static.ts";
import app from "../web/app.js" with { type: "text" };
import bytes from "../web/bytes.js" with { type: "text" };
import call from "../web/call.js" with { type: "text" };
import calls from "../web/calls.js" with { type: "text" };
import caret from "../web/caret.js" with { type: "text" };
import code from "../web/code.js" with { type: "text" };
import dom from "../web/dom.js" with { type: "text" };
import editorStyle from "../web/editor.css" with { type: "text" };
import editor from "../web/editor.js" with { type: "text" };
import extensions from "../web/extensions.js" with { type: "text" };
import page from "../web/index.html" with { type: "text" };
import form from "../web/form.js" with { type: "text" };
import json from "../web/json.js" with { type: "text" };
import marks from "../web/marks.js" with { type: "text" };
import memory from "../web/memory.js" with { type: "text" };
import repair from "../web/repair.js" with { type: "text" };
import result from "../web/result.js" with { type: "text" };
import shell from "../web/shell.js" with { type: "text" };
import style from "../web/style.css" with { type: "text" };
import suggest from "../web/suggest.js" with { type: "text" };
import text from "../web/text.js" with { type: "text" };
import tool from "../web/tool.js" with { type: "text" };
import tools from "../web/tools.js" with { type: "text" };
import codemirror from "../web/vendor/codemirror.js" with { type: "text" };
import views from "../web/views.js" with { type: "text" };

/** Permissions of the page: to load its own scripts and styles, and to call its own origin. */
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

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};

/**
 * The handlers that answer with the page, one for each value of `maxBodyBytes`, which is
 * inserted in the page.
 */
const pages = new Map<number, StaticHandler>();

/** Answers with the page. The largest size of a request body, in bytes, is inserted in it. */
export function index(
  request: Request,
  { maxBodyBytes }: Context,
): Promise<Response> {
  const answer = pages.get(maxBodyBytes) ?? createStaticHandler(
    page.replace("{maxBodyBytes}", String(maxBodyBytes)),
    PAGE_HEADERS,
  );
  pages.set(maxBodyBytes, answer);
  return answer(request);
}

const STYLE_HEADERS = { "content-type": "text/css; charset=utf-8" };
const SCRIPT_HEADERS = { "content-type": "text/javascript; charset=utf-8" };

const SCRIPTS = {
  "app.js": app,
  "bytes.js": bytes,
  "call.js": call,
  "calls.js": calls,
  "caret.js": caret,
  "code.js": code,
  "dom.js": dom,
  "editor.js": editor,
  "extensions.js": extensions,
  "form.js": form,
  "json.js": json,
  "marks.js": marks,
  "memory.js": memory,
  "repair.js": repair,
  "result.js": result,
  "shell.js": shell,
  "suggest.js": suggest,
  "text.js": text,
  "tool.js": tool,
  "tools.js": tools,
  "views.js": views,
  "vendor/codemirror.js": codemirror,
};

/** The handlers of the scripts and styles that the page loads, by path. */
export const parts: Readonly<Record<string, StaticHandler>> = {
  "style.css": createStaticHandler(style, STYLE_HEADERS),
  "editor.css": createStaticHandler(editorStyle, STYLE_HEADERS),
  ...Object.fromEntries(
    Object.entries(SCRIPTS).map(([path, source]) => [
      path,
      createStaticHandler(source, SCRIPT_HEADERS),
    ]),
  ),
};
