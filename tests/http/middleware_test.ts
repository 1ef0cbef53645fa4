// deno-lint-ignore-file no-console -- the console is replaced to see the log

import { assert, assertEquals, assertMatch } from "@std/assert";
import { HttpError } from "../../lib/http/errors.ts";
import {
  withCorsAndErrors,
  withRequestLog,
} from "../../lib/http/middleware.ts";
import { JsonWriter } from "../../lib/json/writer.ts";
import { createTestHandler } from "../_client.ts";

/** Runs a function and returns the lines that it logged. */
async function captureLog(run: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const { info, warn, error } = console;
  console.info = console.warn = console.error = (line: string) => {
    lines.push(line);
  };
  try {
    await run();
  } finally {
    Object.assign(console, { info, warn, error });
  }
  return lines;
}

Deno.test("an unexpected error is hidden from the client and logged in one line", async () => {
  const handler = createTestHandler({
    isStopping() {
      throw new Error("the secret\nhas lines");
    },
  });
  const lines = await captureLog(async () => {
    const response = await handler(new Request("http://localhost/healthz"));
    assertEquals(response.status, 500);
    assertEquals(await response.json(), { error: "internal error" });
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(response.headers.get("x-content-type-options"), "nosniff");
    assertEquals(response.headers.get("content-type"), "application/json");
  });
  assertEquals(lines.length, 1);
  assertMatch(
    lines[0]!,
    /^unexpected error: Error: the secret \| has lines \| at .+$/,
  );
});

Deno.test("what no handler expects of its tools is a 500, and harms no later request", async (t) => {
  const rows = [
    [
      "/api/base64",
      { action: "decode", input: "YQ==" },
      String.prototype,
      "replace",
      '{"result":"a"}',
    ],
    [
      "/api/json",
      { action: "minify", input: "[ 1]" },
      JsonWriter.prototype,
      "writeEscaped",
      '{"result":"[1]","valid":true}',
    ],
  ] as const;
  const handler = createTestHandler();
  for (const [path, fields, tool, method, answer] of rows) {
    await t.step(path, async () => {
      const init = { method: "POST", body: JSON.stringify(fields) };
      function send(): Response | Promise<Response> {
        return handler(new Request(`http://localhost${path}`, init));
      }
      const original: PropertyDescriptor = Object.getOwnPropertyDescriptor(
        tool,
        method,
      )!;
      const lines = await captureLog(async () => {
        Object.defineProperty(tool, method, {
          ...original,
          value() {
            throw new RangeError("broken");
          },
        });
        let response: Response;
        try {
          response = await send();
        } finally {
          Object.defineProperty(tool, method, original);
        }
        assertEquals(response.status, 500);
        assertEquals(await response.json(), { error: "internal error" });
      });
      assertMatch(lines.join(), /^unexpected error: RangeError: broken/);
      assertEquals(await (await send()).text(), answer);
    });
  }
});

Deno.test("an expected error is not logged", async () => {
  const handler = createTestHandler();
  const lines = await captureLog(async () => {
    const response = await handler(new Request("http://localhost/nowhere"));
    assertEquals(response.status, 404);
  });
  assertEquals(lines, []);
});

Deno.test("scripts of other origins may read the headers that a browser hides", async (t) => {
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

Deno.test("the request log has a line for each request, and the client its identifier", async (t) => {
  const handler = createTestHandler({ logRequests: true });
  const rows = [
    ["a success", "GET", "/healthz", 200, 15],
    ["a query and a fragment", "GET", "/api/uuid?count=1&secret=x#y", 200, 50],
    ["an error", "GET", "/nowhere", 404, 38],
    ["a wrong method", "DELETE", "/healthz", 405, 58],
    ["OPTIONS", "OPTIONS", "/healthz", 204, 0],
    ["HEAD, which has no body", "HEAD", "/healthz", 200, 0],
    ["a body above 128 KiB", "POST", "/api/base64", 200, 266_681],
    ["a path of 200 characters", "GET", `/${"a".repeat(199)}`, 404, 72],
    ["a path of 201 characters", "GET", `/${"a".repeat(200)}`, 404, 72],
  ] as const;
  for (const [name, method, target, status, bytes] of rows) {
    await t.step(name, async () => {
      let id: string | null = null;
      const lines = await captureLog(async () => {
        const response = await handler(
          new Request(`http://localhost${target}`, {
            method,
            ...(method === "POST" ? { body: LARGE_BODY } : {}),
          }),
        );
        id = response.headers.get("x-request-id");
        assertEquals(
          response.headers.get("access-control-expose-headers")
            ?.split(", ").at(-1),
          "x-request-id",
        );
        // To measure an answer must not use it up.
        assertEquals((await response.bytes()).byteLength, bytes);
      });
      assertEquals(lines.length, 1);
      const path = target.replace(/[?#].*$/, "").slice(0, 200);
      const [line, logged] = new RegExp(
        `^${method} ${path} ${status} \\d+\\.\\d ms ${bytes} bytes (${UUID})$`,
      ).exec(lines[0]!) ?? [];
      assertEquals(line, lines[0]);
      assertEquals(logged, id);
    });
  }
});

/** Its answer goes out in pieces. */
const LARGE_BODY = JSON.stringify({
  action: "encode",
  input: "a".repeat(200_000),
});

Deno.test("the request log does not read an answer that tells its length", async () => {
  let pulled = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      pulled += 1;
      controller.enqueue(new Uint8Array(10));
    },
  }, { highWaterMark: 0 });
  const handler = withRequestLog(() =>
    new Response(body, { headers: { "content-length": "1000" } })
  );
  const lines = await captureLog(async () => {
    const response = await handler(new Request("http://localhost/"));
    assertEquals(pulled, 0);
    await response.body!.cancel();
  });
  assertMatch(lines[0]!, / ms 1000 bytes /);
});

Deno.test("the request log tells the time until the answer", async () => {
  using time = new FakeTime();
  const handler = withRequestLog(() => {
    time.now += 12.34;
    return new Response("a");
  });
  const lines = await captureLog(async () => {
    await handler(new Request("http://localhost/"));
  });
  assertMatch(lines[0]!, /^GET \/ 200 12\.3 ms 1 bytes /);
});

/** Stands in for the clock. */
class FakeTime implements Disposable {
  now = 1_000;
  readonly #original = performance.now;

  constructor() {
    performance.now = () => this.now;
  }

  [Symbol.dispose](): void {
    performance.now = this.#original;
  }
}

Deno.test("nothing is logged of a request, and no identifier given, where that is off", async () => {
  const handler = createTestHandler();
  const lines = await captureLog(async () => {
    const { headers } = await handler(new Request("http://localhost/healthz"));
    assertEquals(headers.get("x-request-id"), null);
  });
  assertEquals(lines, []);
});
