import { assertEquals } from "@std/assert";
import fc from "../_property.ts";
import { character } from "../_text.ts";
import { splitUrl } from "../../lib/http/target.ts";
import { assertRefused, call } from "../_client.ts";

/** Creates a request like Deno does: its URL consists of the Host and the target. */
function createRequest(
  host: string | null,
  target: string,
  authority = host || "localhost:8000",
): Request {
  const request = new Request("http://localhost/");
  Object.defineProperties(request, {
    url: { value: `http://${authority}${target}` },
    headers: { value: { get: () => host } },
  });
  return request;
}

Deno.test("splitUrl() returns path and query without decoding", () => {
  const rows = [
    ["http://h/a?", "/a", ""],
    ["http://h/a?b?c", "/a", "b?c"],
    ["http://h/a#b?c", "/a", ""],
    ["http://h/#a/b", "/", ""],
    // The targets of CONNECT and of OPTIONS.
    ["http://h:80", "/", ""],
    ["http://h/*", "/*", ""],
    // Targets in absolute form (RFC 9112, section 3.2.2).
    ["http://h?a=/api/uuid", "/", "a=/api/uuid"],
    ["http://h#/a?b", "/", ""],
    ["x://h/e/api/uuid", "/e/api/uuid", ""],
    ["http://h/%E0%A4%A?%ff", "/%E0%A4%A", "%ff"],
  ] as const;
  for (const [url, path, query] of rows) {
    assertEquals(splitUrl(url), { path, query });
  }
  const targets = fc.string({
    unit: fc.oneof(fc.constantFrom(..."/?#:@.%&=[]"), character),
  });
  fc.assert(fc.property(targets, (target) => {
    const { href, pathname, search } = new URL(`http://h:80/${target}`);
    assertEquals(splitUrl(href), { path: pathname, query: search.slice(1) });
  }));
});

Deno.test("a Host that is invalid, or would change the path, is rejected with 400", async (t) => {
  const invalid = ["a b", "h:99999", "h:x", "[::1", "<script>", "256.1.1.1"];
  const rewriting = ["a/b", "a?b", "a#b", "a\\b", "a/b?c#d"];
  for (const host of [...invalid, ...rewriting]) {
    await t.step(host, async () => {
      assertRefused(
        await call(createRequest(host, "/api/uuid")),
        400,
        `the Host header must be a host name and perhaps a port, got ${
          JSON.stringify(host)
        }`,
      );
    });
  }
});

Deno.test("any other Host is accepted, also none and an empty one", async () => {
  const named = ["localhost:8000", "[::1]:8000", "127.0.0.1", "münchen.de"];
  for (const host of [null, "", ...named]) {
    // The last valid Host is remembered, and makes no difference to the next one.
    for (const next of [host, "a b", "a b", host]) {
      const { status } = await call(createRequest(next, "/api/uuid"));
      assertEquals(status, next === host ? 200 : 400);
    }
  }
});

Deno.test("an invalid Host is rejected although the target has a host of its own", async () => {
  for (const host of ["[::1", "a b", "h:99999"]) {
    for (const authority of ["ok", host]) {
      const request = createRequest(host, "/api/uuid", authority);
      assertEquals((await call(request)).status, 400);
    }
  }
});
