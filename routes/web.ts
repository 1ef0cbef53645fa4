/**
 * `GET /`, the page for people, and the files that the page loads.
 *
 * The addresses of the files have a version in them, `v/VERSION/page.js`, which is a hash of
 * all contents and headers. So browsers may keep a file for good, and never mix the files of
 * two versions.
 *
 * @module
 */

import { decodeBase64 } from "@std/encoding/base64";
import { createStaticHandler, type StaticHandler } from "../lib/http/static.ts";
import type { Bytes } from "../lib/buffer.ts";
import html from "../web/index.html" with { type: "text" };
import serviceWorker from "../web/service_worker.js" with { type: "text" };
import * as SOURCES from "./web_files.ts";
import {
  createFileHeaders,
  PAGE_HEADERS,
  SERVICE_WORKER_HEADERS,
} from "./web_headers.ts";

/** Comments that stand on lines of their own, but licences, which begin with `/*!`. */
const COMMENTS = {
  js: /^ *(?:\/\*\*(?:(?!\*\/)[^])*\*\/|\/\/.*)\n/gm,
  css: /^ *\/\*(?!!)(?:(?!\*\/)[^])*\*\/\n/gm,
};

/**
 * Removes the comments of a script or style, a quarter of what browsers would load. Returns
 * other content unchanged.
 */
function removeComments(path: string, source: string): string {
  if (path.endsWith(".js")) return source.replaceAll(COMMENTS.js, "");
  return path.endsWith(".css") ? source.replaceAll(COMMENTS.css, "") : source;
}

/** Returns the content of a file as it is sent. The source of an icon is Base64. */
function prepare(path: string, source: string): string | Bytes {
  if (path.endsWith(".png")) return decodeBase64(source.replaceAll("\n", ""));
  return removeComments(path, source);
}

/** Returns the SHA-256 of a text or of bytes, in lower-case hexadecimal. */
async function digest(content: string | Bytes): Promise<string> {
  const bytes = typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** The files as they are sent. */
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
  serviceWorker,
  SERVICE_WORKER_HEADERS,
  FILES.map(({ path, hash, headers }) => [path, hash, headers]),
]))).slice(0, 16);

const FOLDER = `v/${VERSION}/`;

/** The HTML of the page, with the addresses of this version. */
const PAGE = html.replaceAll("{version}", VERSION);

/** The script of the service worker, with the digests of the files that it keeps. */
const SERVICE_WORKER = removeComments("service_worker.js", serviceWorker)
  .replace("{version}", VERSION)
  .replace(
    '{ "{files}": "{digest}" }',
    JSON.stringify({
      "./": await digest(PAGE),
      ...Object.fromEntries(
        FILES.map(({ path, hash }) => [FOLDER + path, hash]),
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
    FILES.map(({ path, content, headers }) => [
      FOLDER + path,
      createStaticHandler(content, headers),
    ]),
  ),
};
