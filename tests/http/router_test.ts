import { assertEquals } from "@std/assert";
import { createRoutes } from "../../routes/map.ts";
import { createHandler } from "../../routes/mod.ts";
import { assertError, call } from "../_client.ts";

/** Every path with its `Allow` header. */
const ROUTES = createRoutes({ maxBodyBytes: 1, isShuttingDown: () => false });
const ALLOWED = ROUTES.map(({ method, pattern }) =>
  [pattern.pathname, method === "GET" ? "GET, HEAD" : "POST"] as const
);

Deno.test("an unknown path gets 404", async (t) => {
  const long = `/${"a".repeat(5_000)}`;
  const paths = [
    ..."/api /api/uuid/1 /API/uuid //api /api/%75uid /api%2Fuuid".split(" "),
    // Malformed percent escapes, and a byte that is not UTF-8.
    ..."/%E0%A4%A /api/uuid% /%ff".split(" "),
    long,
  ];
  for (const path of paths) {
    await t.step(path.slice(0, 20), async () => {
      const shown = path === long ? `${long.slice(0, 39)}…` : path;
      assertError(await call(path), 404, `no such path: "${shown}"`);
      assertEquals((await call(path, { method: "DELETE" })).status, 404);
    });
  }
});

Deno.test("repeated slashes are treated as one, and a trailing slash is ignored", async (t) => {
  const handler = createHandler();
  const slashes = "/".repeat(30_000);
  const paths = [
    ..."/api/uuid/ //api/uuid /api//uuid /api/uuid// ///api///uuid///".split(
      " ",
    ),
    ..."// /docs/ //docs// //openapi.json".split(" "),
    `${slashes}api${slashes}uuid`,
  ];
  for (const path of paths) {
    await t.step(path.slice(0, 20), async () => {
      const response = await handler(new Request(`http://localhost${path}`));
      assertEquals(response.status, 200);
      await response.body!.cancel();
    });
  }
  const options = await call("//api//hash/", { method: "OPTIONS" });
  assertEquals(options.headers.get("allow"), "POST");
  const get = await call("//api/hash");
  assertEquals([get.status, get.headers.get("allow")], [405, "POST"]);
});

Deno.test("an unsupported method on a known path gets 405 and Allow", async (t) => {
  for (const [path, allow] of ALLOWED) {
    await t.step(path, async () => {
      const other = allow === "POST" ? "GET" : "POST";
      for (const method of [other, "DELETE", "BREW", "get"]) {
        // The constructor would convert "get" to uppercase. The server doesn't.
        const request = new Request(`http://localhost${path}`);
        Object.defineProperty(request, "method", { value: method });
        const response = await call(request);
        assertError(
          response,
          405,
          `the method must be ${allow.replace(", ", " or ")}, got "${method}"`,
        );
        assertEquals(response.headers.get("allow"), allow);
      }
    });
  }
});

Deno.test("HEAD returns the status and headers of GET, and no body", async (t) => {
  const handler = createHandler();
  const paths = ALLOWED.map(([path]) => path);
  for (const path of [...paths, "/api/uuid?count=0", "/nowhere"]) {
    await t.step(path, async () => {
      const url = `http://localhost${path}`;
      const get = await handler(new Request(url));
      const head = await handler(new Request(url, { method: "HEAD" }));
      const { byteLength } = await get.bytes();
      // The message of a 405 names the method, and HEAD is one letter longer than GET.
      const length = get.status === 405 ? byteLength + 1 : byteLength;
      get.headers.set("content-length", String(length));
      assertEquals([head.status, head.body], [get.status, null]);
      assertEquals([...head.headers], [...get.headers]);
    });
  }
});

Deno.test("OPTIONS returns 204 and the methods of the path", async (t) => {
  const unknown = "GET, HEAD, POST";
  const rows = [
    ...ALLOWED,
    ["/api/hash/", "POST"],
    ["/nowhere", unknown],
    ["/*", unknown],
    ["/%E0%A4%A", unknown],
  ] as const;
  for (const [path, methods] of rows) {
    await t.step(path, async () => {
      for (const asked of [null, "content-type,x-anything"]) {
        const { status, headers } = await call(path, {
          method: "OPTIONS",
          headers: asked ? { "access-control-request-headers": asked } : {},
        });
        assertEquals(status, 204);
        assertEquals(headers.get("allow"), methods);
        assertEquals(headers.get("access-control-allow-methods"), methods);
        assertEquals(headers.get("access-control-allow-headers"), asked);
        assertEquals(headers.get("vary"), "access-control-request-headers");
        assertEquals(headers.get("access-control-max-age"), "86400");
      }
    });
  }
});
