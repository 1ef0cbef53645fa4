/**
 * `GET /`: the web app, and the files that it loads.
 *
 * A file's URL, such as `v/VERSION/page.js`, contains a hash of all files and headers.
 * Therefore, browsers can cache files forever, and never mix files from different versions.
 *
 * @module
 */

import { decodeBase64 } from "@std/encoding/base64";
import { HttpError } from "../lib/http/response.ts";
import {
  type Handler,
  normalizeSlashes,
  readTarget,
} from "../lib/http/router.ts";
import { createStaticHandler } from "../lib/http/static.ts";
import { formatValue } from "../lib/format_value.ts";
import { toUtf8 } from "../lib/utf8.ts";
import html from "../web/index.html" with { type: "text" };
import serviceWorkerSource from "../web/service_worker.js" with {
  type: "text",
};
import * as SOURCES from "./web_files.ts";
import {
  createFileHeaders,
  PAGE_HEADERS,
  SERVICE_WORKER_HEADERS,
} from "./web_headers.ts";

/** Matches comments on lines of their own, except license comments, which start with `/*!`. */
const COMMENTS = /^ *(?:\/\*(?!!)(?:(?!\*\/)[^])*\*\/|\/\/.*)\n/gm;

/** Removes comments, which are about a quarter of the size of a script or style sheet. */
function removeComments(path: string, source: string): string {
  return /\.(?:js|css)$/.test(path) ? source.replaceAll(COMMENTS, "") : source;
}

const FILES = Object.entries(SOURCES).map(([path, source]) => ({
  path,
  text: removeComments(path, source),
  headers: createFileHeaders(path),
}));

const content = toUtf8(JSON.stringify([html, PAGE_HEADERS, FILES]));
const digest = await crypto.subtle.digest("SHA-256", content);
const VERSION = new Uint8Array(digest).toHex().slice(0, 16);

/** Serves the page's HTML. */
export const page = createStaticHandler(
  html.replaceAll("{version}", VERSION),
  PAGE_HEADERS,
);

/** Serves a script that removes the service worker that earlier versions registered. */
export const removal = createStaticHandler(
  removeComments("service_worker.js", serviceWorkerSource),
  SERVICE_WORKER_HEADERS,
);

export const FILE_PATTERN = new URLPattern({ pathname: "/v/:version/:file+" });

const handlers = new Map(
  FILES.map(({ path, text, headers }) => {
    // PNG files are stored as Base64.
    const content = path.endsWith(".png")
      ? decodeBase64(text.replaceAll("\n", ""))
      : text;
    return [`/v/${VERSION}/${path}`, createStaticHandler(content, headers)];
  }),
);

/** @throws {HttpError} 404 if the file is unknown, or the URL is from another version. */
export const file: Handler = (context) => {
  const { path } = readTarget(context.request);
  const handler = handlers.get(normalizeSlashes(path));
  if (handler) return handler(context);
  throw new HttpError(404, `no such path: ${formatValue(path)}`);
};
