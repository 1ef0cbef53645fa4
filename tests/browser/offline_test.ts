/// <reference lib="dom" />

/** The page without the network, and its service worker among other servers. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { test, type Visit, waitUntilUsable } from "./_browser.ts";
import { digest } from "./_page.ts";
import type { Answer, Service } from "./_service.ts";

/** Uses every tool once. */
async function useTools(visited: Visit): Promise<void> {
  const { base64, hash, uuid, password, json } = visited;
  await base64.show();
  await base64.ask("héllo", "aMOpbGxv");
  await hash.show();
  await hash.ask("abc", digest("abc"));
  await hash.drop(new Uint8Array([0xff, 0]));
  await hash.expect(digest(new Uint8Array([0xff, 0])));
  await uuid.show();
  await uuid.expect(/^[0-9a-f-]{36}$/);
  await password.show();
  await password.expect(/^.{16}$/);
  await json.show();
  await json.ask("[1]", "[\n  1\n]");
}

/** Comes back to the page by an address with a new query, which loads it again. */
async function comeBack({ page, origin, service }: Visit): Promise<void> {
  const path = `/?${service.detours.size}`;
  service.detours.add(path);
  await page.goto(`${origin}${path}#json`);
}

/** The names of all caches of the origin, and its service workers. */
function readKept(page: Page) {
  return page.evaluate(async () => ({
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).map(
      ({ active, scope }) => [new URL(scope).pathname, active?.state],
    ),
  }));
}

/** The version of the page that is shown. */
async function readVersion(page: Page): Promise<string> {
  const address = await page.getAttribute("link[rel=stylesheet]", "href");
  return /^v\/(\w+)\//.exec(address!)![1]!;
}

const KEPT = { isKept: true };

for (const prefix of ["", "/tools"]) {
  test(`after one visit of ${prefix}/ every tool works without the service`, async (open) => {
    const visited = await open("", { ...KEPT, prefix });
    const { page, service, origin } = visited;
    assert(await page.isVisible("footer .kept"));
    await service.stop();
    await page.reload();
    await waitUntilUsable(page);
    await useTools(visited);
    // A query, as in links from elsewhere, is the same page.
    await page.goto(`${origin}${prefix}/?from=mail#uuid`);
    await waitUntilUsable(page);
    await visited.uuid.expect(/^[0-9a-f-]{36}$/);
    service.restart();
  });
}

test("on the own computer nothing is kept, and what was kept is removed", async (open) => {
  const { page } = await open();
  assert(!await page.isVisible("footer .kept"));
  await page.evaluate(async () => {
    const { href } = new URL("service_worker.js", document.baseURI);
    const { scope } = await navigator.serviceWorker.register(href);
    await navigator.serviceWorker.ready;
    await caches.open(`developer-utilities:${scope}:old`);
    await caches.open("of another project");
  });
  assertEquals((await readKept(page)).workers.length, 1);
  await page.reload();
  await waitUntilUsable(page);
  assertEquals(await readKept(page), {
    caches: ["of another project"],
    workers: [],
  });
});

test(
  "a server that answers is never replaced by the copy, and another project's ends it",
  async (open, t) => {
    const answers: Record<string, () => Response> = {
      "an error": () => new Response("its own error", { status: 500 }),
      "a page": () =>
        new Response("<title>Theirs</title>its own page", {
          headers: { "content-type": "text/html" },
        }),
      "a login page": () =>
        new Response("its own login", {
          status: 401,
          headers: { "www-authenticate": "none" },
        }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      await t.step(name, async () => {
        const { page, service, origin, complaints } = await open("", KEPT);
        await page.evaluate(() => caches.open("of another project"));
        service.answer = (request) =>
          new URL(request.url).pathname === "/"
            ? answer()
            : new Response("a file of theirs");
        await page.goto(`${origin}/`);
        assertMatch(await page.textContent("body") ?? "", /its own/);
        // Their files are their own, those with names of ours, too.
        service.detours.add("/page.js");
        const file = await page.goto(`${origin}/page.js`);
        assertEquals(await file!.text(), "a file of theirs");
        service.answer = undefined;
        await page.goto(`${origin}/api/uuid`);
        assertEquals(await readKept(page), {
          caches: ["of another project"],
          workers: [],
        });
        complaints.length = 0;
        await page.goto(`${origin}/`);
        await waitUntilUsable(page);
      });
    }
  },
);

test("another project's redirect is followed", async (open) => {
  const { page, service, origin } = await open("", KEPT);
  service.detours.add("/login");
  service.answer = (request) =>
    new URL(request.url).pathname === "/"
      ? Response.redirect(`${origin}/login`)
      : new Response("its own login");
  await page.goto(`${origin}/`);
  assertEquals(new URL(page.url()).pathname, "/login");
  assertEquals(await page.textContent("body"), "its own login");
  assertEquals((await readKept(page)).workers, []);
  service.answer = undefined;
  await page.goto(`${origin}/`);
  await waitUntilUsable(page);
});

test("the copy stands in while a proxy says that the service is down, or nothing answers", async (open) => {
  const visited = await open("#json", KEPT);
  const { page, service, origin, json } = visited;
  for (const status of [502, 503, 504]) {
    service.answer = () => new Response("bad gateway", { status });
    await comeBack(visited);
    await waitUntilUsable(page);
    await json.ask("[2]", "[\n  2\n]");
  }
  const { promise, resolve } = Promise.withResolvers<Response>();
  service.answer = (request) =>
    new URL(request.url).pathname === "/" ? promise : service.handle(request);
  await comeBack(visited);
  await waitUntilUsable(page);
  await json.ask("[3]", "[\n  3\n]");
  service.answer = undefined;
  resolve(await service.handle(new Request(origin)));
  assertEquals((await readKept(page)).workers, [["/", "activated"]]);
});

/** Replaces the version in all addresses and answers of the service. */
function createNextVersion(handle: Answer, version: string, next: string) {
  return async (request: Request) => {
    if (request.url.includes(version)) {
      return handle(new Request(request.url.replace("/v/", "/none/")));
    }
    const url = new URL(request.url.replace(next, version));
    const { status, headers, body } = await handle(new Request(url));
    let text = (await new Response(body).text()).replaceAll(version, next);
    if (url.pathname === "/service_worker.js") {
      const page = await (await handle(new Request(new URL("/", url)))).text();
      text = text.replace(digest(page), digest(page.replaceAll(version, next)));
    }
    const type = headers.get("content-type")!;
    // The bytes of the icon are no text.
    const content = type === "image/png"
      ? (await handle(new Request(url))).body
      : text;
    const kept = new Headers(headers);
    kept.delete("etag");
    return new Response(content, { status, headers: kept });
  };
}

test("an update replaces all files at once, and no version gets files of another one", async (open) => {
  const visited = await open("#json", KEPT);
  const { page, service, json } = visited;
  const readCaches = async () =>
    (await readKept(page)).caches.map((name) => name.split(":").at(-1));
  const old = await readVersion(page);
  const next = "f".repeat(old.length);
  const answer = createNextVersion(service.handle, old, next);
  for (const { path } of service.arrivals) {
    if (path.includes(old)) service.detours.add(path.replace(old, next));
  }
  // A proxy fails in the middle of the update.
  service.answer = (request) =>
    request.url.endsWith("/icon.png")
      ? new Response("", { status: 502 })
      : answer(request);
  await comeBack(visited);
  await waitUntilUsable(page);
  assertEquals(await readVersion(page), next);
  await json.ask("[1]", "[\n  1\n]");
  assertEquals(await readCaches(), [old]);
  await service.stop();
  await comeBack(visited);
  await waitUntilUsable(page);
  assertEquals(await readVersion(page), old);
  await json.ask("[2]", "[\n  2\n]");
  service.restart();
  service.answer = answer;
  await comeBack(visited);
  await waitUntilUsable(page);
  assertEquals(await readVersion(page), next);
  assertEquals(await readCaches(), [next]);
  await service.stop();
  await comeBack(visited);
  await waitUntilUsable(page);
  assertEquals(await readVersion(page), next);
  await json.ask("[4]", "[\n  4\n]");
  service.restart();
});

test(
  "a file that is not as the service made it is not kept, and the page does not claim it",
  async (open, t) => {
    const replaced: Record<string, (request: Request) => Response> = {
      "a login page": () => new Response("<h1>Log in</h1>"),
      "a redirect": (request) =>
        Response.redirect(new URL("/openapi.json", request.url)),
      "an error": () => new Response("", { status: 500 }),
    };
    for (const [name, answer] of Object.entries(replaced)) {
      await t.step(name, async () => {
        const { page, json } = await open("#json", {
          ...KEPT,
          // Only the service worker asks for this icon.
          answer: (service) => (request) => {
            const { pathname } = new URL(request.url);
            return pathname.endsWith("/icon.png")
              ? answer(request)
              : service.handle(request);
          },
        });
        assert(!await page.isVisible("footer .kept"));
        assertEquals(await readKept(page), { caches: [], workers: [] });
        await json.ask("[2]", "[\n  2\n]");
      });
    }
  },
);

test("a proxy may answer differently to other requests, and the page is kept", async (open) => {
  const visited = await open("#json", {
    ...KEPT,
    answer: (service) => async (request) => {
      const { status, headers, body } = await service.handle(request);
      const varied = new Headers(headers);
      varied.set("vary", "accept, accept-encoding, cookie, sec-fetch-mode");
      return new Response(body, { status, headers: varied });
    },
  });
  const { page, service } = visited;
  assert(await page.isVisible("footer .kept"));
  await service.stop();
  await comeBack(visited);
  await waitUntilUsable(page);
  await useTools(visited);
  service.restart();
});

test("an HTTP cache that has another file is passed by", async (open) => {
  const { page } = await open("", {
    ...KEPT,
    answer: (service) => {
      let count = 0;
      return (request) => {
        const isIcon = request.url.endsWith("/icon.svg");
        const isFirst = isIcon && (count += 1) === 1;
        return isFirst
          ? new Response("<svg xmlns='http://www.w3.org/2000/svg'/>", {
            headers: {
              "content-type": "image/svg+xml",
              "cache-control": "max-age=1000",
            },
          })
          : service.handle(request);
      };
    },
  });
  assert(await page.isVisible("footer .kept"));
});

test("blocked site data is no error of the page", async (open) => {
  const { page, base64 } = await open("", {
    ...KEPT,
    prepare: (page) =>
      page.addInitScript(() => {
        // It is not there before the page is.
        if (!("serviceWorker" in navigator)) return;
        ServiceWorkerContainer.prototype.register = () =>
          Promise.reject(new DOMException("", "SecurityError"));
      }),
  });
  assert(!await page.isVisible("footer .kept"));
  assertEquals((await base64.look()).message, "");
});

/** Lets the storage of the service worker fail, by code that runs before its own. */
function createFault(code: string) {
  return (service: Service): Answer => async (request) => {
    if (!request.url.endsWith("/service_worker.js")) {
      return service.handle(request);
    }
    const response = await service.handle(new Request(request.url));
    const script = `${code};${await response.text()}`;
    const headers = { "content-type": "text/javascript" };
    return new Response(script, { headers });
  };
}

test("on a full disk nothing is kept, no part either, and the page does not claim it", async (open) => {
  const { page, base64 } = await open("", {
    ...KEPT,
    answer: createFault(`
      const { put } = Cache.prototype;
      let count = 0;
      Cache.prototype.put = function (...entry) {
        if ((count += 1) < 20) return put.apply(this, entry);
        return Promise.reject(new DOMException("", "QuotaExceededError"));
      }
    `),
  });
  assert(!await page.isVisible("footer .kept"));
  assertEquals(await readKept(page), { caches: [], workers: [] });
  await base64.ask("abc", "YWJj");
  assertEquals((await base64.look()).message, "");
});

test("a service worker that cannot read what it has kept leaves the page to the network", async (open) => {
  const visited = await open("#json", {
    ...KEPT,
    answer: createFault(`
      CacheStorage.prototype.match = () =>
        Promise.reject(new DOMException("", "UnknownError"))
    `),
  });
  const { page, service } = visited;
  assertEquals((await readKept(page)).workers, [["/", "activated"]]);
  const { length } = service.arrivals;
  await comeBack(visited);
  await waitUntilUsable(page);
  await useTools(visited);
  assert(service.arrivals.length > length);
});
