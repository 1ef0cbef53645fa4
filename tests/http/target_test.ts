import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readTarget, splitUrl } from "../../lib/http/target.ts";
import { assertRefused, call } from "../_client.ts";

/** A request as the server makes it: its URL is the Host and the target. */
function createRequest(host: string | null, target: string): Request {
  const request = new Request("http://localhost/");
  Object.defineProperties(request, {
    url: { value: `http://${host || "localhost:8000"}${target}` },
    headers: { value: { get: () => host } },
  });
  return request;
}

Deno.test("splitUrl() takes path and query as they came", async (t) => {
  const rows = [
    ["a path", "http://h/a/b", "/a/b", ""],
    ["a query", "http://h/a?b=c", "/a", "b=c"],
    ["an empty query", "http://h/a?", "/a", ""],
    ["two question marks", "http://h/a?b?c", "/a", "b?c"],
    ["a slash in the query", "http://h/?a/b", "/", "a/b"],
    ["a fragment", "http://h/a#b", "/a", ""],
    ["a query and a fragment", "http://h/a?b#c", "/a", "b"],
    ["a question mark in the fragment", "http://h/a#b?c", "/a", ""],
    ["a slash in the fragment", "http://h/#a/b", "/", ""],
    ["no path, as for CONNECT", "http://h:80", "/", ""],
    ["the asterisk of OPTIONS", "http://h/*", "/*", ""],
    ["https", "https://h/a?b", "/a", "b"],
    ["a host of one letter", "http://h/", "/", ""],
    ["percent escapes", "http://h/%E0%A4%A?%ff", "/%E0%A4%A", "%ff"],
  ] as const;
  for (const [name, url, path, query] of rows) {
    await t.step(name, () => assertEquals(splitUrl(url), { path, query }));
  }
});

Deno.test("splitUrl() agrees with URL", () => {
  fc.assert(fc.property(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    (text) => {
      const { href, pathname, search } = new URL(text);
      assertEquals(splitUrl(href), { path: pathname, query: search.slice(1) });
    },
  ));
});

Deno.test("readTarget() accepts no Host and an empty one", () => {
  // HTTP/1.0 and HTTP/2 have none (RFC 9113, section 8.3.1, has an authority).
  for (const host of [null, "", "h", null, ""]) {
    assertEquals(readTarget(createRequest(host, "/a?b")), {
      path: "/a",
      query: "b",
    });
  }
});

Deno.test("the handler refuses a bad Host as often as it comes", async () => {
  for (const host of ["a b", "a/b", "a/b", "a b", "good", "a b"]) {
    const answer = await call(createRequest(host, "/api/uuid"));
    if (host === "good") assertEquals(answer.status, 200);
    else {
      assertRefused(
        answer,
        400,
        `the Host header must be a host name and perhaps a port, got "${host}"`,
      );
    }
  }
});
