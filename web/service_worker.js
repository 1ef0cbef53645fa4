// @ts-nocheck: the types of service workers and of pages exclude each other.

/**
 * Removes the service worker that earlier versions of the page registered, and
 * its caches. Browsers load this script in its place when they next open the
 * page. The next release drops it.
 */

/** Deletes the caches of this page, and those of no other page of the origin. */
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
