import { assertEquals } from "@std/assert";
import { readTarget } from "../../lib/http/router.ts";

Deno.test("readTarget() returns path and query without decoding", () => {
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
    assertEquals(readTarget({ url } as Request), { path, query });
  }
});
