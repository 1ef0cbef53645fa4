/// <reference lib="dom" />

/** The page without the service, and the service worker of earlier versions. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { waitFor } from "../_within.ts";
import { test, waitUntilUsable } from "./_browser.ts";

/** What earlier versions did: keep the page, and answer with the copy. */
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

/** The names of all caches of the origin, and the number of its service workers. */
function readKept(page: Page) {
  return page.evaluate(async () => ({
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));
}

test("the service worker of an earlier version ends with its own caches", async (open) => {
  const { page, service, origin } = await open("#json", {
    isUnloaded: true,
    answer: (service) => (request) =>
      request.url.endsWith("/service_worker.js")
        ? new Response(OLD_SCRIPT, {
          headers: { "content-type": "text/javascript" },
        })
        : service.handle(request),
  });
  // A document without the page's policy, which permits no registration.
  await page.goto(`${origin}/openapi.json`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/service_worker.js");
    await navigator.serviceWorker.ready;
    await caches.open("developer-utilities:http://elsewhere/:old");
    await caches.open("of another project");
  });
  const others = [
    "developer-utilities:http://elsewhere/:old",
    "of another project",
  ];
  const before = await readKept(page);
  assertEquals([before.workers, before.caches.length], [1, 3]);
  service.answer = undefined;
  // The browser looks for a new version of the old script whenever it wants to.
  service.detours.add("/service_worker.js");
  await page.goto(`${origin}/#json`);
  await waitUntilUsable(page);
  await waitFor(async () => {
    const { caches, workers } = await readKept(page);
    return workers === 0 && caches.length === others.length;
  });
  assertEquals((await readKept(page)).caches.toSorted(), others);
});

test("the page registers no service worker", async (open) => {
  const { page } = await open();
  assertEquals(await readKept(page), { caches: [], workers: 0 });
});
