/// <reference lib="dom" />

/** The service worker of earlier versions. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { waitFor } from "../_within.ts";
import { test, waitUntilComplete } from "./_browser.ts";

/** The service worker of earlier versions: it caches the page and serves the copy. */
const OLD_SCRIPT = `
const NAME = "developer-utilities:" + registration.scope + ":old";
addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.add("./")));
  skipWaiting();
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(
    fetch(event.request).catch(() => caches.match("./", { cacheName: NAME })),
  );
});`;

const CACHE_OF_ANOTHER_PAGE = "developer-utilities:http://elsewhere/:old";

/** Returns the caches and the number of service workers of the origin. */
function readRegistered(page: Page) {
  return page.evaluate(async () => ({
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));
}

test("the service worker of an earlier version is removed with its own caches", async (open) => {
  const { page, service, origin } = await open("#json", {
    isUnloaded: true,
    override: (service) => (request) =>
      request.url.endsWith("/service_worker.js")
        ? new Response(OLD_SCRIPT, {
          headers: { "content-type": "text/javascript" },
        })
        : service.handle(request),
  });
  // The page's policy would block the registration.
  await page.goto(`${origin}/openapi.json`);
  await page.evaluate(async (name) => {
    await navigator.serviceWorker.register("/service_worker.js");
    await navigator.serviceWorker.ready;
    await caches.open(name);
  }, CACHE_OF_ANOTHER_PAGE);
  const before = await readRegistered(page);
  assertEquals([before.workers, before.caches.length], [1, 2]);
  service.override = undefined;
  // The browser can request a new version of the script at any time.
  service.detours.add("/service_worker.js");
  await page.goto(`${origin}/#json`);
  await waitUntilComplete(page);
  await waitFor(async () => {
    const { caches, workers } = await readRegistered(page);
    return workers === 0 && caches.length === 1;
  });
  assertEquals((await readRegistered(page)).caches, [CACHE_OF_ANOTHER_PAGE]);
});
