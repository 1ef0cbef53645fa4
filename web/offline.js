/**
 * Keeps the page for use with the network off, by service_worker.js, where the
 * browser permits that: not over plain HTTP, and not with blocked site data. No
 * failure here is an error of the page.
 * @module
 */

/**
 * Names of the own computer, on whose ports other projects may be next. No
 * network is between it and the page.
 */
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Lets the browser keep the page, or on the own computer, removes what it has
 * kept. Returns whether the page can be opened with the network off.
 */
export async function keepForOffline() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return false;
  try {
    return await (LOOPBACK.test(location.hostname) ? remove() : install());
  } catch {
    return false;
  }
}

/** The address of the service worker. */
export const SERVICE_WORKER =
  new URL("service_worker.js", document.baseURI).href;

/** Waits until the present version is kept, or cannot be kept. */
async function install() {
  const registration = await navigator.serviceWorker.register(SERVICE_WORKER, {
    updateViaCache: "none",
  });
  // Without this, a new version might be found only later. Fails without network.
  await registration.update().catch(() => {});
  const worker = registration.installing ?? registration.waiting ??
    registration.active;
  await new Promise((resolve) => {
    const check = () => {
      const { state = "activated" } = worker ?? {};
      if (["activated", "redundant"].includes(state)) resolve(undefined);
    };
    worker?.addEventListener("statechange", check);
    check();
  });
  return registration.active !== null;
}

/** Removes the service worker of this page, and its copies. */
async function remove() {
  const registration = await navigator.serviceWorker.getRegistration();
  const script = registration?.active?.scriptURL;
  if (!registration || script !== SERVICE_WORKER) return false;
  await registration.unregister();
  const prefix = `developer-utilities:${registration.scope}:`;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix))
      .map((name) => caches.delete(name)),
  );
  return false;
}
