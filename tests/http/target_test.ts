import { assertEquals } from "@std/assert";
import { readTarget } from "../../lib/http/target.ts";
import { call } from "../_client.ts";

/** Creates a request like Deno does: its URL consists of the Host and the target. */
function createRequest(host: string, target: string): Request {
  const request = new Request("http://localhost/");
  Object.defineProperty(request, "url", { value: `http://${host}${target}` });
  return request;
}

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

Deno.test("an odd Host never fails, and changes no other request", async (t) => {
  const rows = [
    ...["a b", "h:99999", "[::1", "<script>", "256.1.1.1", "", "h"]
      .map((host) => [host, 200] as const),
    // A part of the Host becomes the path of its own request.
    ["a/b", 404],
    ["a/healthz?", 200],
  ] as const;
  for (const [host, expected] of rows) {
    await t.step(host, async () => {
      const { status } = await call(createRequest(host, "/api/uuid"));
      assertEquals(status, expected);
      assertEquals((await call("/api/uuid")).status, 200);
    });
  }
});
