import { assertEquals } from "@std/assert";
import { dropBody } from "../../lib/http/head.ts";
import { Memory } from "../../lib/http/memory.ts";
import { Turns } from "../../lib/http/turns.ts";
import { createRouter, type Route } from "../../lib/http/router.ts";
import { ROUTES } from "../../routes/mod.ts";
import { assertRefused, call, createTestHandler } from "../_client.ts";

const GET_PATHS = ["/api/uuid", "/api/password", "/healthz"];
const SCRIPTS =
  "app call dom editor marks memory suggest text tool tools views vendor/codemirror"
    .split(" ");
const STATIC_PATHS = [
  "/",
  "/style.css",
  "/editor.css",
  ...SCRIPTS.map((name) => `/${name}.js`),
  "/openapi.json",
];
const POST_PATHS = ["/api/base64", "/api/hash", "/api/json", "/mcp"];

Deno.test("ROUTES has the paths that these tests know", () => {
  const paths = ROUTES.map(({ pattern }) => pattern.pathname);
  const known = [...GET_PATHS, ...STATIC_PATHS, ...POST_PATHS];
  assertEquals(paths.toSorted(), known.toSorted());
});

Deno.test("the router answers an unknown path with 404", async (t) => {
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
});

Deno.test("the router shortens an unknown path in its message", async () => {
  assertRefused(
    await call("/" + "a".repeat(5_000)),
    404,
    `no such path: "/${"a".repeat(38)}…"`,
  );
});

Deno.test("the router tolerates one trailing slash", async () => {
  for (const path of GET_PATHS) {
    assertEquals((await call(`${path}/`)).status, 200);
    assertEquals((await call(`${path}/?x=1`)).status, 200);
  }
  // The path "/" has one itself.
  const response = await createTestHandler()(new Request("http://localhost//"));
  assertEquals(response.status, 200);
  await response.body!.cancel();
});

Deno.test("the router answers a wrong method with 405 and Allow", async (t) => {
  for (const path of [...GET_PATHS, ...STATIC_PATHS]) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "BREW", "get"]) {
      await t.step(`${method} ${path}`, async () => {
        // A Request upper-cases "get", what arrives over a socket is as sent.
        const request = new Request(`http://localhost${path}`);
        Object.defineProperty(request, "method", { value: method });
        const answer = await call(request);
        assertRefused(
          answer,
          405,
          `the method must be GET or HEAD, got "${method}"`,
        );
        assertEquals(answer.headers.get("allow"), "GET, HEAD");
      });
    }
  }
  for (const path of POST_PATHS) {
    for (const method of ["GET", "PUT", "DELETE"]) {
      await t.step(`${method} ${path}`, async () => {
        const answer = await call(path, { method });
        assertRefused(answer, 405, `the method must be POST, got "${method}"`);
        assertEquals(answer.headers.get("allow"), "POST");
      });
    }
    await t.step(`HEAD ${path}`, async () => {
      assertEquals((await call(path, { method: "HEAD" })).status, 405);
    });
  }
});

Deno.test("the router answers HEAD with the status and headers of GET, and no body", async (t) => {
  const handler = createTestHandler();
  const paths = [
    ...GET_PATHS,
    ...STATIC_PATHS,
    "/api/uuid?count=3",
    "/api/uuid?count=0",
    "/nowhere",
  ];
  for (const path of paths) {
    await t.step(path, async () => {
      const url = `http://localhost${path}`;
      const get = await handler(new Request(url));
      const head = await handler(new Request(url, { method: "HEAD" }));
      assertEquals(head.status, get.status);
      assertEquals(head.body, null);
      get.headers.set(
        "content-length",
        String((await get.bytes()).byteLength),
      );
      assertEquals([...head.headers], [...get.headers]);
    });
  }
});

Deno.test("the router answers HEAD with 304 where GET is, without a length", async () => {
  const handler = createTestHandler();
  const url = "http://localhost/";
  const get = await handler(new Request(url));
  await get.body!.cancel();
  const headers = { "if-none-match": get.headers.get("etag")! };
  const head = await handler(new Request(url, { method: "HEAD", headers }));
  assertEquals({ status: head.status, body: head.body }, {
    status: 304,
    body: null,
  });
  assertEquals(head.headers.get("content-length"), null);
});

Deno.test("dropBody() tells the length of a body that it does not read", async () => {
  let isRead = false;
  let isCancelled = false;
  const body = new ReadableStream({
    pull() {
      isRead = true;
    },
    cancel() {
      isCancelled = true;
    },
  }, { highWaterMark: 0 });
  const headers = { "content-length": "1000", "x-a": "b" };
  const response = await dropBody(new Response(body, { status: 203, headers }));
  assertEquals(response.status, 203);
  assertEquals(response.body, null);
  assertEquals(Object.fromEntries(response.headers), headers);
  assertEquals({ isRead, isCancelled }, { isRead: false, isCancelled: true });
});

Deno.test("the router answers OPTIONS on any path with 204", async (t) => {
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
});

Deno.test("the router allows no headers where a preflight asks for none", async () => {
  const { headers } = await call("/api/hash", { method: "OPTIONS" });
  assertEquals(headers.get("access-control-allow-headers"), null);
});

Deno.test("the handler refuses a Host that makes no URL or moves the path", async (t) => {
  const hosts = [
    "a b",
    "h:99999",
    "h:x",
    "[::1",
    "<script>",
    "256.1.1.1",
    "a/b",
    "a?b",
    "a#b",
    "a\\b",
    "a/b?c#d",
  ];
  for (const host of hosts) {
    await t.step(host, async () => {
      const answer = await call(createRequest(host, "/api/uuid"));
      assertRefused(
        answer,
        400,
        `the Host header must be a host name and perhaps a port, got ${
          JSON.stringify(host)
        }`,
      );
    });
  }
});

Deno.test("the handler accepts any other Host", async (t) => {
  for (
    const host of [
      "localhost:8000",
      "example.com",
      "[::1]:8000",
      "127.0.0.1",
      "münchen.de",
      "x.y:1",
    ]
  ) {
    await t.step(host, async () => {
      assertEquals((await call(createRequest(host, "/api/uuid"))).status, 200);
    });
  }
});

/** A request as the server makes it: its URL is the Host and the target. */
function createRequest(host: string, target: string): Request {
  const request = new Request("http://localhost/");
  Object.defineProperties(request, {
    url: { value: `http://${host}${target}` },
    headers: { value: { get: () => host } },
  });
  return request;
}

Deno.test("createRouter() matches true patterns after literal paths", async () => {
  function answer(name: string): Route["handler"] {
    return () => Response.json({ name });
  }
  const dispatch = createRouter([
    {
      method: "GET",
      pattern: new URLPattern({ pathname: "/:any" }),
      handler: answer("pattern"),
    },
    {
      method: "GET",
      pattern: new URLPattern({ pathname: "/*" }),
      handler: answer("later pattern"),
    },
    {
      method: "GET",
      pattern: new URLPattern({ pathname: "/a" }),
      handler: answer("literal"),
    },
    {
      method: "POST",
      pattern: new URLPattern({ pathname: "/a" }),
      handler: answer("post"),
    },
  ]);
  async function dispatched(path: string, method = "GET"): Promise<unknown> {
    const request = new Request(`http://localhost${path}`, { method });
    const response = await dispatch(request, {
      path,
      query: "",
      readBody: (_request, parse) => Promise.resolve(parse(new Uint8Array())),
      maxBodyBytes: 0,
      isStopping: () => false,
      memory: new Memory(0),
      turns: new Turns(),
    });
    return response.status === 204
      ? response.headers.get("allow")
      : (await response.json()).name;
  }
  assertEquals(await dispatched("/a"), "literal");
  assertEquals(await dispatched("/b"), "pattern");
  assertEquals(await dispatched("/b/c"), "later pattern");
  assertEquals(await dispatched("/a", "POST"), "post");
  assertEquals(await dispatched("/a", "OPTIONS"), "GET, HEAD, POST");
  assertEquals(await dispatched("/b", "OPTIONS"), "GET, HEAD");
});

Deno.test("GET /healthz answers ok, and 503 while stopping", async () => {
  const { status, body } = await call("/healthz");
  assertEquals({ status, body }, { status: 200, body: { status: "ok" } });
  const handler = createTestHandler({ isStopping: () => true });
  assertRefused(
    await call("/healthz", { handler }),
    503,
    "the service is shutting down",
  );
});
