import { assert, assertEquals, assertMatch } from "@std/assert";
import { HttpError } from "../../lib/http_error.ts";
import {
  withCorsAndErrors,
  withRequestLog,
} from "../../lib/http/middleware.ts";
import { createTestHandler } from "../_client.ts";
import { stopClock } from "../_clock.ts";
import { captureLog } from "../_replace.ts";

Deno.test("an unexpected error is answered with 500, its details are in the log only", async (t) => {
  const error = new Error("the secret\nhas lines");
  const rows = [
    ["thrown", () => {
      throw error;
    }],
    ["rejected", () => Promise.reject(error)],
  ] as const;
  for (const [name, fail] of rows) {
    await t.step(name, async () => {
      using log = captureLog();
      const answer = withCorsAndErrors(fail);
      const response = await answer(new Request("http://localhost/"));
      assertEquals(response.status, 500);
      assertEquals(await response.json(), { error: "internal error" });
      assertEquals(response.headers.get("access-control-allow-origin"), "*");
      assertEquals(response.headers.get("x-content-type-options"), "nosniff");
      assertEquals(response.headers.get("content-type"), "application/json");
      const [[method, line], ...others] = log.lines as [[string, string]];
      assertEquals(method, "error");
      assertMatch(
        line,
        /^unexpected error: Error: the secret \| has lines \| at .+$/,
      );
      assertEquals(others, []);
    });
  }
});

Deno.test("an HttpError is not logged", async () => {
  using log = captureLog();
  const response = await createTestHandler()(
    new Request("http://localhost/nowhere"),
  );
  await response.body?.cancel();
  assertEquals(response.status, 404);
  assertEquals(log.lines, []);
});

Deno.test("scripts of other origins may read Allow, Retry-After and ETag", async (t) => {
  const handler = createTestHandler();
  const busy = withCorsAndErrors(() => {
    throw new HttpError(503, "busy", { "retry-after": "1" });
  });
  const both = withCorsAndErrors(() => {
    throw new HttpError(405, "no", { "retry-after": "1", allow: "GET" });
  });
  const closing = withCorsAndErrors(() => {
    throw new HttpError(408, "late", { connection: "close" });
  });
  const rows = [
    ["Allow of a 405", handler, "DELETE", "/healthz", "allow"],
    ["Allow of OPTIONS", handler, "OPTIONS", "/healthz", "allow"],
    ["Retry-After", busy, "GET", "/", "retry-after"],
    ["Allow and Retry-After", both, "GET", "/", "allow, retry-after"],
    ["ETag", handler, "GET", "/", "etag"],
    ["the same for HEAD", handler, "HEAD", "/", "etag"],
    ["none of a success", handler, "GET", "/healthz", null],
    ["none of an error", handler, "GET", "/nowhere", null],
    ["no other header", closing, "GET", "/", null],
  ] as const;
  for (const [name, answer, method, path, exposed] of rows) {
    await t.step(name, async () => {
      const request = new Request(`http://localhost${path}`, { method });
      const { headers, body } = await answer(request);
      await body?.cancel();
      assertEquals(headers.get("access-control-expose-headers"), exposed);
      for (const name of exposed?.split(", ") ?? []) assert(headers.has(name));
      assertEquals(headers.has("connection"), answer === closing);
    });
  }
});

const UUID =
  "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

/** A request whose response is streamed in chunks. */
const LARGE_BODY = JSON.stringify({
  action: "encode",
  input: "a".repeat(200_000),
});

Deno.test("the request log has one line for each request, with the client's X-Request-Id", async (t) => {
  const handler = createTestHandler({ logRequests: true });
  const rows = [
    ["a success", "GET", "/healthz", 200],
    ["a query and a fragment", "GET", "/api/uuid?count=1&secret=x#y", 200],
    ["an error", "GET", "/nowhere", 404],
    ["a wrong method", "DELETE", "/healthz", 405],
    ["OPTIONS", "OPTIONS", "/healthz", 204],
    ["HEAD", "HEAD", "/healthz", 200],
    ["a large response", "POST", "/api/base64", 200],
  ] as const;
  for (const [name, method, target, status] of rows) {
    await t.step(name, async () => {
      using log = captureLog();
      const body = method === "POST" ? LARGE_BODY : null;
      const response = await handler(
        new Request(`http://localhost${target}`, { method, body }),
      );
      const { byteLength } = await response.bytes();
      const id = response.headers.get("x-request-id")!;
      assertMatch(id, new RegExp(`^${UUID}$`));
      assertMatch(
        response.headers.get("access-control-expose-headers")!,
        /(?:^|, )x-request-id$/,
      );
      const path = target.replace(/[?#].*$/, "");
      assertEquals(log.lines.length, 1);
      assertMatch(
        log.lines[0]![1],
        new RegExp(
          `^"${method}" "${path}" ${status} \\d+\\.\\d ms ${byteLength} bytes ${id}$`,
        ),
      );
    });
  }
});

Deno.test("the request log quotes paths and methods, and shortens them", async () => {
  using log = captureLog();
  const handler = createTestHandler({ logRequests: true });
  const method = "A".repeat(50_000);
  const url = "http://localhost/\u009b\u202e\u2028";
  const request = new Request(`${url}${"a".repeat(200)}`, { method });
  // `Request` escapes the URL; a server may pass it on unescaped.
  Object.defineProperty(request, "url", { value: decodeURI(request.url) });
  await handler(request);
  const line = log.lines[0]![1];
  assertMatch(
    line,
    /^"A{39}…" "\/\\u009b\\u202e\\u2028a{35}…" 404 [\w. -]+$/,
  );
});

Deno.test("the request log has the time until the response", async () => {
  using clock = stopClock();
  using log = captureLog();
  const handler = withRequestLog(() => {
    clock.work(12);
    return new Response("a");
  });
  await handler(new Request("http://localhost/"));
  assertMatch(log.lines[0]![1], /^"GET" "\/" 200 12\.0 ms 1 bytes /);
});

Deno.test("without the request log, nothing is logged and no X-Request-Id is sent", async () => {
  using log = captureLog();
  const { headers, body } = await createTestHandler()(
    new Request("http://localhost/healthz"),
  );
  await body?.cancel();
  assertEquals(headers.get("x-request-id"), null);
  assertEquals(log.lines, []);
});

Deno.test("a redirect has the headers of every response", async () => {
  const redirect = () => Response.redirect("http://localhost/a", 307);
  const handler = withCorsAndErrors(redirect);
  const { status, headers } = await handler(new Request("http://localhost/"));
  assertEquals(status, 307);
  assertEquals(headers.get("location"), "http://localhost/a");
  assertEquals(headers.get("access-control-allow-origin"), "*");
});
