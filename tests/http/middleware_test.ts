import { assert, assertEquals, assertMatch } from "@std/assert";
import { HttpError } from "../../lib/http/response.ts";
import { withCorsAndErrors } from "../../lib/http/middleware.ts";
import { createHandler } from "../../routes/mod.ts";
import { JSON_TYPE } from "../_client.ts";
import { UUID } from "../_examples.ts";
import { captureLog, createFaulty } from "../_replace.ts";

Deno.test("an unexpected error gets 500, and its details are only logged", async (t) => {
  const error = new Error("the secret\nhas lines");
  const failures = {
    thrown: withCorsAndErrors(() => {
      throw error;
    }),
    rejected: withCorsAndErrors(() => Promise.reject(error)),
    async "while a body is read"() {
      return await createHandler()(createFaulty("/api/hash", error));
    },
  };
  const url = "http://localhost/api/hash";
  for (const [name, handle] of Object.entries(failures)) {
    await t.step(name, async () => {
      using log = captureLog();
      const init = { method: "POST", body: "{}" };
      const response = await handle(new Request(url, init));
      const { status, headers } = response;
      const body = await response.json();
      assertEquals([status, body], [500, { error: "internal error" }]);
      assertEquals(headers.get("access-control-allow-origin"), "*");
      assertEquals(headers.get("x-content-type-options"), "nosniff");
      assertEquals(headers.get("cache-control"), "no-store");
      assertEquals(headers.get("content-type"), JSON_TYPE);
      const [[method, line], ...otherLines] = log.lines as [[string, string]];
      assertEquals([method, otherLines], ["error", []]);
      assertMatch(
        line,
        /^unexpected error: Error: the secret \| has lines \| at .+$/,
      );
    });
  }
});

Deno.test("scripts of other origins can read Allow, Retry-After, and ETag", async (t) => {
  const handler = createHandler();
  const busy = withCorsAndErrors(() => {
    throw new HttpError(503, "busy", { "retry-after": "1", connection: "x" });
  });
  const rows = [
    [handler, "DELETE", "/healthz", "allow"],
    [handler, "OPTIONS", "/healthz", "allow"],
    [busy, "GET", "/", "retry-after"],
    [handler, "GET", "/", "etag"],
    [handler, "HEAD", "/", "etag"],
    [handler, "GET", "/healthz", null],
    [handler, "GET", "/nowhere", null],
  ] as const;
  for (const [handle, method, path, exposed] of rows) {
    await t.step(`${method} ${path} exposes ${exposed}`, async () => {
      const request = new Request(`http://localhost${path}`, { method });
      const { headers, body } = await handle(request);
      await body?.cancel();
      assertEquals(headers.get("access-control-expose-headers"), exposed);
      if (exposed !== null) assert(headers.has(exposed));
    });
  }
});

/** A request whose response is streamed in chunks. */
const LARGE_BODY = JSON.stringify({
  action: "encode",
  input: "a".repeat(200_000),
});

Deno.test("the request log has one line for each request, with the client's X-Request-Id", async (t) => {
  const handler = createHandler({ logRequests: true });
  const rows = [
    ["GET", "/healthz?count=1&secret=x#y", 200],
    ["DELETE", "/healthz", 405],
    ["HEAD", "/healthz", 200],
    ["POST", "/api/base64", 200],
  ] as const;
  for (const [method, target, status] of rows) {
    await t.step(`${method} ${target}`, async () => {
      using log = captureLog();
      const body = method === "POST" ? LARGE_BODY : null;
      const start = performance.now();
      const response = await handler(
        new Request(`http://localhost${target}`, { method, body }),
      );
      const elapsed = performance.now() - start;
      const { byteLength } = await response.bytes();
      const { headers } = response;
      const id = headers.get("x-request-id")!;
      assertMatch(id, RegExp(`^${UUID}$`));
      const exposed = headers.get("access-control-expose-headers");
      assertMatch(exposed!, /(?:^|, )x-request-id$/);
      const path = target.replace(/[?#].*$/, "");
      const line = log.lines.map(([, text]) => text).join("\n");
      const [before, milliseconds, after] = line.split(/ (\d+\.\d) ms /);
      assertEquals(before, `"${method}" "${path}" ${status}`);
      assert(Number(milliseconds) <= elapsed + 0.1, line);
      assertEquals(after, `${byteLength} bytes ${id}`);
    });
  }
});
