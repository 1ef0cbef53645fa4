/**
 * `GET /`, the web app, and the files that it loads.
 *
 * The URLs of the files contain a version, as in `v/VERSION/page.js`, which is a hash of all
 * contents and headers. Browsers can cache a file forever and never mix two versions.
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
import { createStaticHandler, type StaticHandler } from "../lib/http/static.ts";
import type { Bytes } from "../lib/buffer.ts";
import { formatValue } from "../lib/format_value.ts";
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
const COMMENTS = {
  js: /^ *(?:\/\*\*(?:(?!\*\/)[^])*\*\/|\/\/.*)\n/gm,
  css: /^ *\/\*(?!!)(?:(?!\*\/)[^])*\*\/\n/gm,
};

/** Removes the comments, which are a quarter of a script or style. */
function removeComments(path: string, source: string): string {
  if (path.endsWith(".js")) return source.replaceAll(COMMENTS.js, "");
  return path.endsWith(".css") ? source.replaceAll(COMMENTS.css, "") : source;
}

/** Returns the content to send. The source of an icon is Base64. */
function prepare(path: string, source: string): string | Bytes {
  if (path.endsWith(".png")) return decodeBase64(source.replaceAll("\n", ""));
  return removeComments(path, source);
}

/** Returns the SHA-256 digest in lowercase hexadecimal. */
async function digest(content: string | Bytes): Promise<string> {
  const bytes = typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

const FILES = await Promise.all(
  Object.entries(SOURCES).map(async ([path, source]) => {
    const content = prepare(path, source);
    const headers = createFileHeaders(path);
    return { path, content, headers, hash: await digest(content) };
  }),
);

const VERSION = (await digest(JSON.stringify([
  html,
  PAGE_HEADERS,
  FILES.map(({ path, hash, headers }) => [path, hash, headers]),
]))).slice(0, 16);

/** Serves the HTML of the page, with the URLs of this version. */
export const page: StaticHandler = createStaticHandler(
  html.replaceAll("{version}", VERSION),
  PAGE_HEADERS,
);

/** Serves the script that removes the service worker of earlier versions. */
export const removal: StaticHandler = createStaticHandler(
  removeComments("service_worker.js", serviceWorkerSource),
  SERVICE_WORKER_HEADERS,
);

/** Matches the URLs of the files. */
export const FILE_PATTERN = new URLPattern({ pathname: "/v/:version/:file+" });

const handlers = new Map(
  FILES.map(({ path, content, headers }) => [
    path,
    createStaticHandler(content, headers),
  ]),
);

/**
 * Serves a file of this version.
 *
 * @throws {HttpError} 404 for an unknown file, or a file of another version.
 */
export const file: Handler = (context) => {
  const { path } = readTarget(context.request);
  const { version, file = "" } =
    FILE_PATTERN.exec({ pathname: normalizeSlashes(path) })!.pathname.groups;
  const handler = version === VERSION ? handlers.get(file) : undefined;
  if (handler) return handler(context);
  throw new HttpError(404, `no such path: ${formatValue(path)}`);
};
