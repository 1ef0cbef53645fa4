/// <reference lib="dom" />

/** A page of another origin that calls the service. */

import { assert, assertEquals } from "@std/assert";
import { test } from "./_browser.ts";

/** The parts of an answer that a script of the page can read. */
interface Seen {
  readonly status: number;
  readonly allow: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Calls, and what a page of another origin sees. A call with JSON and a header of its own needs a preflight. */
const CALLS: readonly (readonly [
  call: { method: string; path: string; body?: object; padding?: number },
  seen: Seen,
])[] = [
  [
    {
      method: "POST",
      path: "/api/hash",
      body: { algorithm: "sha1", input: "abc" },
    },
    {
      status: 200,
      allow: null,
      body: {
        result: "a9993e364706816aba3e25717850c26c9cd0d89d",
        algorithm: "sha1",
      },
    },
  ],
  [
    {
      method: "POST",
      path: "/api/hash",
      body: { algorithm: "md5", input: "" },
    },
    {
      status: 501,
      allow: null,
      body: {
        error:
          '"algorithm" must be "sha1", "sha256" or "sha512", got "md5", which Web Crypto does not support',
      },
    },
  ],
  [
    { method: "GET", path: "/api/uuid?count=0" },
    {
      status: 400,
      allow: null,
      body: { error: '"count" must be an integer from 1 to 100, got "0"' },
    },
  ],
  [
    { method: "GET", path: "/api/hash" },
    {
      status: 405,
      allow: "POST",
      body: { error: 'the method must be POST, got "GET"' },
    },
  ],
  [
    { method: "POST", path: "/api/nowhere", body: {} },
    {
      status: 404,
      allow: null,
      body: { error: 'no such path: "/api/nowhere"' },
    },
  ],
  [
    {
      method: "POST",
      path: "/api/json",
      body: { action: "minify", input: "[]" },
      padding: 1_100_000,
    },
    {
      status: 413,
      allow: null,
      body: { error: "the body must be at most 1048576 bytes" },
    },
  ],
];

test("a page of another origin calls with JSON and its own header, and reads results, errors and Allow", async (open) => {
  const { page, service, origin, complaints } = await open();
  await using elsewhere = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () =>
      new Response("<title>Elsewhere</title>", {
        headers: { "content-type": "text/html" },
      }),
  );
  const preflights = new Set<string>();
  service.answer = (request) => {
    const { pathname, search } = new URL(request.url);
    if (request.method === "OPTIONS") preflights.add(pathname + search);
    return service.handle(request);
  };
  await page.goto(`http://127.0.0.1:${elsewhere.addr.port}/`);
  assertEquals(await page.evaluate(() => document.title), "Elsewhere");
  for (const [call, expected] of CALLS) {
    service.detours.add(call.path);
    const seen = await page.evaluate(
      async ({ origin, call: { method, path, body, padding = 0 } }) => {
        const headers = { "content-type": "application/json", "x-own": "1" };
        const text = JSON.stringify(body) + " ".repeat(padding);
        const response = await fetch(origin + path, {
          method,
          headers,
          ...(body === undefined ? {} : { body: text }),
        });
        return {
          status: response.status,
          allow: response.headers.get("allow"),
          body: await response.json(),
        };
      },
      { origin, call },
    );
    assertEquals(seen, expected, `${call.method} ${call.path}`);
    assert(preflights.has(call.path), `no preflight for ${call.path}`);
  }
  // Every other complaint fails the test. To this page, the service is another origin.
  const others = complaints.filter((text) => !text.startsWith("a request to"));
  complaints.splice(0, Infinity, ...others);
});
