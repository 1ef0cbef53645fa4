/// <reference lib="dom" />

/** Calls of the API by a page of another origin. */

import { assert, assertEquals } from "@std/assert";
import { test } from "./_browser.ts";

/** Calls with the expected status, the `Allow` header, and the result or error. */
const CALLS = [
  {
    call: ["POST", "/api/hash", '{"algorithm":"sha1","input":"abc"}'],
    expected: [200, null, "a9993e364706816aba3e25717850c26c9cd0d89d"],
  },
  {
    call: ["GET", "/api/hash"],
    expected: [405, "POST", 'the method must be POST, got "GET"'],
  },
  {
    call: ["POST", "/api/nowhere", "{}"],
    expected: [404, null, 'no such path: "/api/nowhere"'],
  },
  {
    call: ["POST", "/api/json", " ".repeat(1_100_000)],
    expected: [413, null, "the body must be at most 1048576 bytes"],
  },
] as const;

test("a page of another origin can send JSON and a header, and read results, errors, and Allow", async (open) => {
  const { page, service, origin, problems } = await open();
  await using elsewhere = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("", { headers: { "content-type": "text/html" } }),
  );
  const preflights = new Set<string>();
  service.override = (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "OPTIONS") preflights.add(pathname);
    return service.handle(request);
  };
  await page.goto(`http://127.0.0.1:${elsewhere.addr.port}/`);
  for (const { call, expected } of CALLS) {
    const [method, path, body = null] = call;
    service.detours.add(path);
    const response = await page.evaluate(
      async ({ url, method, body }) => {
        const headers = { "content-type": "application/json", "x-own": "1" };
        const response = await fetch(url, { method, headers, body });
        const { error, result } = await response.json();
        const allow = response.headers.get("allow");
        return [response.status, allow, error ?? result];
      },
      { url: origin + path, method, body },
    );
    assertEquals(response, [...expected], path);
    assert(preflights.has(path), `no preflight for ${path}`);
  }
  // For this page, the service is another origin.
  const unexpected = problems.filter((text) => !/^a request to/.test(text));
  problems.splice(0, Infinity, ...unexpected);
});
