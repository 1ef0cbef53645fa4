/**
 * `GET /`, `/style.css`, `/app.js` and the modules that it imports: the page for
 * people. It is imported as text, so that a compiled binary and Deno Deploy carry it.
 *
 * @module
 */

import type { Handler } from "../lib/http/router.ts";
import { createStaticHandler } from "../lib/http/static.ts";
import app from "../web/app.js" with { type: "text" };
import call from "../web/call.js" with { type: "text" };
import dom from "../web/dom.js" with { type: "text" };
import editorStyle from "../web/editor.css" with { type: "text" };
import editor from "../web/editor.js" with { type: "text" };
import page from "../web/index.html" with { type: "text" };
import foot from "../web/foot.js" with { type: "text" };
import marks from "../web/marks.js" with { type: "text" };
import memory from "../web/memory.js" with { type: "text" };
import style from "../web/style.css" with { type: "text" };
import message from "../web/message.js" with { type: "text" };
import suggest from "../web/suggest.js" with { type: "text" };
import text from "../web/text.js" with { type: "text" };
import tool from "../web/tool.js" with { type: "text" };
import tools from "../web/tools.js" with { type: "text" };
import codemirror from "../web/vendor/codemirror.js" with { type: "text" };
import views from "../web/views.js" with { type: "text" };

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

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};

/** The page by the limit that it tells. */
const pages = new Map<number, Handler>();

/** Answers the page, which knows the largest body that this service takes. */
export function index(...[request, context]: Parameters<Handler>) {
  const { maxBodyBytes } = context;
  const answer = pages.get(maxBodyBytes) ?? createStaticHandler(
    page.replace("{maxBodyBytes}", String(maxBodyBytes)),
    PAGE_HEADERS,
  );
  pages.set(maxBodyBytes, answer);
  return answer(request, context);
}

const STYLE_HEADERS = { "content-type": "text/css; charset=utf-8" };

/** Answer the page's style sheets. */
export const styles = {
  style: createStaticHandler(style, STYLE_HEADERS),
  editor: createStaticHandler(editorStyle, STYLE_HEADERS),
};

const SCRIPT_HEADERS = { "content-type": "text/javascript; charset=utf-8" };

/** Comments that have lines of their own. */
const COMMENT_LINES = /^ *(?:\/\*\*(?:(?!\*\/)[^])*\*\/|\/\/.*)\n/gm;

/** Answers a module without its comments, which readers of the source need alone. */
function createScriptHandler(source: string): Handler {
  let handler: Handler | undefined;
  return function answer(request, context) {
    handler ??= createStaticHandler(
      source.replaceAll(COMMENT_LINES, ""),
      SCRIPT_HEADERS,
    );
    return handler(request, context);
  };
}

/** Answers the vendored editor, with its licences. */
export const vendored = createStaticHandler(codemirror, SCRIPT_HEADERS);

/** Answer the page's modules. */
export const scripts = {
  app: createScriptHandler(app),
  call: createScriptHandler(call),
  dom: createScriptHandler(dom),
  editor: createScriptHandler(editor),
  foot: createScriptHandler(foot),
  marks: createScriptHandler(marks),
  memory: createScriptHandler(memory),
  message: createScriptHandler(message),
  suggest: createScriptHandler(suggest),
  text: createScriptHandler(text),
  tool: createScriptHandler(tool),
  tools: createScriptHandler(tools),
  views: createScriptHandler(views),
};
