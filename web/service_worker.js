// @ts-nocheck: the types of service workers and pages are incompatible.

/**
 * Removes the service worker that earlier versions of the page registered, and
 * its caches. Browsers load this script instead when they next open the
 * page. The next release drops it.
 */

/** Deletes the caches of this page, but no caches of other pages of the origin. */
async function deleteCaches() {
  const prefix = `developer-utilities:${registration.scope}:`;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix))
      .map((name) => caches.delete(name)),
  );
}

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => {
  event.waitUntil(deleteCaches().then(() => registration.unregister()));
});
