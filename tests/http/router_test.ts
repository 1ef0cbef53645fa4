import { assertEquals } from "@std/assert";
import {
  type Context,
  createRouter,
  type Route,
} from "../../lib/http/router.ts";
import { ROUTES } from "../../routes/mod.ts";
import { assertRefused, call, createTestHandler } from "../_client.ts";

function listPaths(method: "GET" | "POST"): string[] {
  return ROUTES.filter((route) => route.method === method)
    .map(({ pattern }) => pattern.pathname);
}

const GET_PATHS = listPaths("GET");
const POST_PATHS = listPaths("POST");

Deno.test("an unknown path is answered with 404", async (t) => {
  const rows = [
    ["the root of the API", "/api"],
    ["a path below an endpoint", "/api/uuid/1"],
    ["upper case", "/API/uuid"],
    ["two trailing slashes", "/api/uuid//"],
    ["two leading slashes", "//api/uuid"],
    ["a percent-encoded letter", "/api/%75uid"],
    ["a malformed percent escape", "/%E0%A4%A"],
    ["a percent sign", "/api/uuid%"],
    ["a byte that is not UTF-8", "/%ff"],
  ] as const;
  for (const [name, path] of rows) {
    await t.step(name, async () => {
      assertRefused(await call(path), 404, `no such path: "${path}"`);
      const { status } = await call(path, { method: "DELETE" });
      assertEquals(status, 404);
    });
  }
  await t.step("a long path, which the message shortens", async () => {
    const error = `no such path: "/${"a".repeat(38)}…"`;
    assertRefused(await call("/" + "a".repeat(5_000)), 404, error);
  });
});

Deno.test("one trailing slash is tolerated", async () => {
  for (const path of ["/api/uuid/", "/api/password/?x=1", "/healthz/"]) {
    assertEquals((await call(path)).status, 200);
  }
  // The path "/" ends in a slash itself.
  const response = await createTestHandler()(new Request("http://localhost//"));
  assertEquals(response.status, 200);
  await response.body!.cancel();
});

Deno.test("a wrong method on a known path is answered with 405 and Allow", async (t) => {
  const rows = [
    ...GET_PATHS.map((path) =>
      [path, ["POST", "DELETE", "BREW", "get"], "GET, HEAD"] as const
    ),
    ...POST_PATHS.map((path) => [path, ["GET", "PUT"], "POST"] as const),
  ];
  for (const [path, methods, allow] of rows) {
    await t.step(path, async () => {
      for (const method of methods) {
        // The constructor would turn "get" into upper case; the server does not.
        const request = new Request(`http://localhost${path}`);
        Object.defineProperty(request, "method", { value: method });
        const answer = await call(request);
        assertRefused(
          answer,
          405,
          `the method must be ${allow.replace(", ", " or ")}, got "${method}"`,
        );
        assertEquals(answer.headers.get("allow"), allow);
      }
    });
  }
  await t.step("HEAD of a path without GET", async () => {
    const answer = await call("/api/hash", { method: "HEAD" });
    assertEquals(answer.status, 405);
    assertEquals(answer.headers.get("allow"), "POST");
  });
});

Deno.test("HEAD is answered with the status and headers of GET, and no body", async (t) => {
  const handler = createTestHandler();
  const paths = [...GET_PATHS, "/api/uuid?count=3", "/api/uuid?count=0", "/x"];
  for (const path of paths) {
    await t.step(path, async () => {
      const url = `http://localhost${path}`;
      const get = await handler(new Request(url));
      const head = await handler(new Request(url, { method: "HEAD" }));
      assertEquals(head.status, get.status);
      assertEquals(head.body, null);
      const { byteLength } = await get.bytes();
      get.headers.set("content-length", String(byteLength));
      assertEquals([...head.headers], [...get.headers]);
    });
  }
  await t.step("304", async () => {
    const url = "http://localhost/";
    const get = await handler(new Request(url));
    await get.body!.cancel();
    const headers = { "if-none-match": get.headers.get("etag")! };
    const head = await handler(new Request(url, { method: "HEAD", headers }));
    assertEquals(head.status, 304);
    assertEquals(head.body, null);
    assertEquals(head.headers.get("content-length"), null);
  });
});

Deno.test("OPTIONS is answered with 204 and the methods of the path", async (t) => {
  const rows = [
    ...GET_PATHS.map((path) => [path, "GET, HEAD"] as const),
    ...POST_PATHS.map((path) => [path, "POST"] as const),
    ["/api/hash/", "POST"],
    ["/nowhere", "GET, HEAD, POST"],
    ["/*", "GET, HEAD, POST"],
    ["/%E0%A4%A", "GET, HEAD, POST"],
  ] as const;
  for (const [path, methods] of rows) {
    await t.step(path, async () => {
      const { status, headers } = await call(path, {
        method: "OPTIONS",
        headers: {
          "origin": "https://example.com",
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type,x-anything",
        },
      });
      assertEquals(status, 204);
      assertEquals(headers.get("allow"), methods);
      assertEquals(headers.get("access-control-allow-methods"), methods);
      assertEquals(
        headers.get("access-control-allow-headers"),
        "content-type,x-anything",
      );
      assertEquals(headers.get("vary"), "access-control-request-headers");
      assertEquals(headers.get("access-control-max-age"), "86400");
    });
  }
  await t.step("no header is asked for", async () => {
    const { headers } = await call("/api/hash", { method: "OPTIONS" });
    assertEquals(headers.get("access-control-allow-headers"), null);
  });
});

Deno.test("createRouter() tries literal paths before patterns, and patterns in order", async () => {
  function createRoute(
    method: Route["method"],
    pathname: string,
    name = pathname,
  ): Route {
    const pattern = new URLPattern({ pathname });
    return { method, pattern, handler: () => Response.json({ name }) };
  }
  const dispatch = createRouter([
    createRoute("GET", "/:any"),
    createRoute("GET", "/*"),
    createRoute("GET", "/a"),
    createRoute("POST", "/a", "POST /a"),
  ]);
  const rows = [
    ["GET", "/a", "/a"],
    ["GET", "/b", "/:any"],
    ["GET", "/b/c", "/*"],
    ["POST", "/a", "POST /a"],
  ] as const;
  for (const [method, path, name] of rows) {
    const request = new Request(`http://localhost${path}`, { method });
    // The router reads only the path of the context.
    const response = await dispatch(request, { path } as Context);
    assertEquals(await response.json(), { name });
  }
});
