/**
 * `GET /`, the page for people, and the files that the page loads. The page and the files
 * are imported as text, so that a compiled binary and a deployment to Deno Deploy contain
 * them.
 *
 * The addresses of the files have a version in them, `v/VERSION/page.js`, which is a hash of
 * all contents and headers. So browsers may keep a file for good, and never mix the files of
 * two versions.
 *
 * @module
 */

import { decodeBase64 } from "@std/encoding/base64";
import { createStaticHandler, type StaticHandler } from "../lib/http/static.ts";
import type { Bytes } from "../lib/values/buffer.ts";
import digestNotation from "../lib/values/digest_notation.js" with {
  type: "text",
};
import quote from "../lib/values/quote.js" with { type: "text" };
import characters from "../web/characters.js" with { type: "text" };
import code from "../web/code.js" with { type: "text" };
import compute from "../web/compute.js" with { type: "text" };
import computer from "../web/computer.js" with { type: "text" };
import copying from "../web/copying.js" with { type: "text" };
import digests from "../web/digests.js" with { type: "text" };
import editor from "../web/editor.js" with { type: "text" };
import editorStyle from "../web/editor_style.js" with { type: "text" };
import elements from "../web/elements.js" with { type: "text" };
import fileInput from "../web/file_input.js" with { type: "text" };
import files from "../web/files.js" with { type: "text" };
import form from "../web/form.js" with { type: "text" };
import hashers from "../web/hashers.js" with { type: "text" };
import iconPng from "../web/icon.png.txt" with { type: "text" };
import iconSvg from "../web/icon.svg" with { type: "text" };
import html from "../web/index.html" with { type: "text" };
import kinds from "../web/kinds.js" with { type: "text" };
import links from "../web/links.js" with { type: "text" };
import manifest from "../web/manifest.webmanifest" with { type: "text" };
import memory from "../web/memory.js" with { type: "text" };
import outcome from "../web/outcome.js" with { type: "text" };
import outcomeMessage from "../web/outcome_message.js" with { type: "text" };
import pageScript from "../web/page.js" with { type: "text" };
import preview from "../web/preview.js" with { type: "text" };
import repair from "../web/repair.js" with { type: "text" };
import result from "../web/result.js" with { type: "text" };
import search from "../web/search.js" with { type: "text" };
import section from "../web/section.js" with { type: "text" };
import serviceWorker from "../web/service_worker.js" with { type: "text" };
import settings from "../web/settings.js" with { type: "text" };
import shortcuts from "../web/shortcuts.js" with { type: "text" };
import start from "../web/start.js" with { type: "text" };
import state from "../web/state.js" with { type: "text" };
import style from "../web/style.css" with { type: "text" };
import suggestions from "../web/suggestions.js" with { type: "text" };
import text from "../web/text.js" with { type: "text" };
import theme from "../web/theme.js" with { type: "text" };
import tools from "../web/tools.js" with { type: "text" };
import transfers from "../web/transfers.js" with { type: "text" };
import offline from "../web/offline.js" with { type: "text" };
import hashWasm from "../web/vendor/hash_wasm.js" with { type: "text" };
import operations from "../web/vendor/operations.js" with { type: "text" };
import packages from "../web/vendor/packages.js" with { type: "text" };
import view from "../web/view.js" with { type: "text" };
import worker from "../web/worker.js" with { type: "text" };
import wrapped from "../web/wrapped.js" with { type: "text" };
import wrapping from "../web/wrapping.js" with { type: "text" };

/**
 * Permits the page to load scripts, styles, icons and its manifest from its origin, and to
 * show images of `data:` and `blob:` URLs. The browser blocks `fetch()`, forms, beacons and
 * sockets, but not navigations and the addresses of those files, which
 * `tests/web/sources_test.ts` searches for. No page may frame it.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "connect-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Tells answers of this page from those of another project that is at its address later.
 * `web/service_worker.js` looks for it.
 */
const PAGE_MARK = { "developer-utilities": "page" };

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  ...PAGE_MARK,
};

/**
 * The service worker copies the files of the page, so it may call its own origin. It gets
 * nothing from the page.
 */
const SERVICE_WORKER_HEADERS = {
  "content-type": "text/javascript; charset=utf-8",
  "content-security-policy": "default-src 'none'; connect-src 'self'",
};

/** The policy of a worker is that of its own response, not that of the page. */
const WORKER_POLICY =
  "default-src 'none'; connect-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};

/** The files that the page loads, by path. */
const FILES: Readonly<Record<string, string | Bytes>> = {
  "characters.js": characters,
  "code.js": code,
  "compute.js": compute,
  "computer.js": computer,
  "copying.js": copying,
  // The module of `lib/values/`; `web/digest_notation.js` only exports it again.
  "digest_notation.js": digestNotation,
  "digests.js": digests,
  "editor.js": editor,
  "editor_style.js": editorStyle,
  "elements.js": elements,
  "file_input.js": fileInput,
  "files.js": files,
  "form.js": form,
  "hashers.js": hashers,
  "icon.png": decodeBase64(iconPng.replaceAll("\n", "")),
  "icon.svg": iconSvg,
  "kinds.js": kinds,
  "links.js": links,
  "manifest.webmanifest": manifest,
  "memory.js": memory,
  "offline.js": offline,
  "outcome.js": outcome,
  "outcome_message.js": outcomeMessage,
  "page.js": pageScript,
  "preview.js": preview,
  // As is "digest_notation.js".
  "quote.js": quote,
  "repair.js": repair,
  "result.js": result,
  "search.js": search,
  "section.js": section,
  "settings.js": settings,
  "shortcuts.js": shortcuts,
  "start.js": start,
  "state.js": state,
  "style.css": style,
  "suggestions.js": suggestions,
  "text.js": text,
  "theme.js": theme,
  "tools.js": tools,
  "transfers.js": transfers,
  "view.js": view,
  "worker.js": worker,
  "wrapped.js": wrapped,
  "wrapping.js": wrapping,
  "vendor/hash_wasm.js": hashWasm,
  "vendor/operations.js": operations,
  "vendor/packages.js": packages,
};

/**
 * Removes the comments of a script that stand on lines of their own: they are a quarter of
 * what browsers would load. Licences, in comments that begin with an exclamation mark, stay.
 */
function removeComments(script: string): string {
  return script.replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, "");
}

/** Returns a file as it is sent. */
function prepare(path: string, content: string | Bytes): string | Bytes {
  const isScript = typeof content === "string" && path.endsWith(".js");
  return isScript ? removeComments(content) : content;
}

/** Returns the headers of a file. Browsers need never ask for it again. */
function createHeaders(path: string): Record<string, string> {
  return {
    "content-type": TYPES[path.slice(path.lastIndexOf(".") + 1)]!,
    "cache-control": "public, max-age=31536000, immutable",
    ...(path === "worker.js"
      ? { "content-security-policy": WORKER_POLICY }
      : {}),
  };
}

/** Returns the SHA-256 of a text or of bytes, in lower-case hexadecimal. */
async function digest(content: string | Bytes): Promise<string> {
  const bytes = typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** The files with the SHA-256 of each. */
const HASHED_FILES = await Promise.all(
  Object.entries(FILES).map(async ([path, source]) => {
    const content = prepare(path, source);
    return { path, content, hash: await digest(content) };
  }),
);

const VERSION = (await digest(JSON.stringify([
  html,
  PAGE_HEADERS,
  serviceWorker,
  SERVICE_WORKER_HEADERS,
  HASHED_FILES.map(({ path, hash }) => [path, hash, createHeaders(path)]),
]))).slice(0, 16);

const FOLDER = `v/${VERSION}/`;

/** The HTML of the page, with the addresses of this version. */
const PAGE = html.replaceAll("{version}", VERSION);

/** The script of the service worker, with the digests of the files that it keeps. */
const SERVICE_WORKER = removeComments(serviceWorker)
  .replace("{version}", VERSION)
  .replace(
    '{ "{files}": "{digest}" }',
    JSON.stringify({
      "./": await digest(PAGE),
      ...Object.fromEntries(
        HASHED_FILES.map(({ path, hash }) => [FOLDER + path, hash]),
      ),
    }),
  );

/** The handler of the page. */
export const page: StaticHandler = createStaticHandler(PAGE, PAGE_HEADERS);

/** Handlers of the page's files, by path without the leading slash. */
export const assets: Readonly<Record<string, StaticHandler>> = {
  "service_worker.js": createStaticHandler(
    SERVICE_WORKER,
    SERVICE_WORKER_HEADERS,
  ),
  ...Object.fromEntries(
    HASHED_FILES.map(({ path, content }) => [
      FOLDER + path,
      createStaticHandler(content, createHeaders(path)),
    ]),
  ),
};
