// @ts-nocheck: the types of service workers and of pages exclude each other.

/**
 * Keeps the files of one version of the page for use without the service, and
 * answers only for them: navigations to the page, and addresses of its version.
 * It never answers in place of a server that answers. A classic script, since
 * not all browsers take a module here. The service writes the version and the
 * digests of the files into it.
 */

/** Time without an answer after which the copy of the page is shown, in ms. */
const SILENCE_MS = 3_000;

/** A header that only answers of this page have. */
const PAGE_HEADER = "developer-utilities";

const VERSION = "{version}";

/** SHA-256 of each file in hexadecimal, by its address relative to the page. */
const DIGESTS = { "{files}": "{digest}" };

/** The address of the page. */
const { scope } = registration;

/** The start of the names of all caches of this page, and of no other page. */
const CACHE_PREFIX = `developer-utilities:${scope}:`;

const CACHE_NAME = CACHE_PREFIX + VERSION;

/** Keeps all files, or none: if one is not of this version, it rejects. */
async function install() {
  const entries = await Promise.all(
    Object.entries(DIGESTS).map(async ([path, digest]) => {
      const url = new URL(path, scope);
      return [url, await fetchFile(url, digest)];
    }),
  );
  const cache = await caches.open(CACHE_NAME);
  try {
    await Promise.all(entries.map(([url, file]) => cache.put(url, file)));
  } catch (error) {
    // The disk is full.
    await caches.delete(CACHE_NAME);
    throw error;
  }
  await skipWaiting();
}

/**
 * Fetches a file with this digest, past an HTTP cache that has another one.
 * Follows no redirect, such as one to a login page.
 */
async function fetchFile(url, digest) {
  for (const cache of ["default", "reload"]) {
    const response = await fetch(url, { cache, redirect: "error" });
    const bytes = await response.clone().arrayBuffer();
    const hash = await crypto.subtle.digest("SHA-256", bytes);
    const isRight = new Uint8Array(hash).toHex() === digest;
    if (response.ok && isRight) return response;
  }
  throw new Error(`${url} is not of this version`);
}

async function activate() {
  await deleteCaches((name) => name !== CACHE_NAME);
  await clients.claim();
}

/** Deletes those caches of this page that a condition names. */
async function deleteCaches(condition) {
  const names = (await caches.keys()).filter((name) =>
    name.startsWith(CACHE_PREFIX) && condition(name)
  );
  await Promise.all(names.map((name) => caches.delete(name)));
}

/**
 * Returns the copy of a file; undefined if there is none, or no storage. By its
 * address, not by the request of the browser, whose headers a `Vary` may name.
 */
async function findCopy(url) {
  try {
    // `caches.open()` would make a cache that has been deleted.
    return await caches.match(url, {
      cacheName: CACHE_NAME,
      ignoreSearch: true,
    });
  } catch {
    return undefined;
  }
}

/**
 * Answers a navigation to the page with what the network answers. The copy
 * takes its place only if the network fails or is silent, or if a proxy says
 * that the service is down.
 */
async function answerNavigation(event) {
  const answering = fetch(event.request);
  const checking = answering.then(leaveIfForeign).catch(() => {});
  event.waitUntil(checking);
  const silence = new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
  const response = await Promise.race([answering, silence])
    .catch(() => undefined);
  const isDown = response === undefined || isGatewayError(response);
  return isDown && await findCopy(scope) || response || answering;
}

function isGatewayError({ status }) {
  return status >= 502 && status <= 504;
}

/**
 * Removes this service worker and all it keeps, if the page is no longer at its
 * address: another project may be there now.
 */
async function leaveIfForeign(response) {
  if (response.headers.has(PAGE_HEADER) || isGatewayError(response)) return;
  await registration.unregister();
  await deleteCaches(() => true);
}

async function answerFile(request) {
  return await findCopy(request.url) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const [address] = request.url.split(/[?#]/);
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    if (address === scope) event.respondWith(answerNavigation(event));
  } else if (address.startsWith(`${scope}v/${VERSION}/`)) {
    event.respondWith(answerFile(request));
  }
});
