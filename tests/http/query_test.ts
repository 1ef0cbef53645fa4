/** Queries: no parameter is ignored. */

import { assertEquals } from "@std/assert";
import { assertError, call, post } from "../_client.ts";

const UUID = 'the parameter of /api/uuid is "count"';
const PASSWORD =
  'the parameters of /api/password are "length", "uppercase", "lowercase", "numbers", "symbols", "ambiguous", "count"';

/** Queries with unknown parameters, and the error messages. */
const UNKNOWN = [
  ["/api/password?lenght=64", `unknown parameter "lenght": ${PASSWORD}`],
  [
    "/api/password?length=16&amp;symbols=false",
    `unknown parameter "amp;symbols": ${PASSWORD}`,
  ],
  // An unknown name is more helpful than an invalid value.
  [
    "/api/password?length=0&lenght=0",
    `unknown parameter "lenght": ${PASSWORD}`,
  ],
  ["/api/uuid?count=2&=", `unknown parameter "": ${UUID}`],
  ["/api/uuid?__proto__=1", `unknown parameter "__proto__": ${UUID}`],
  [
    `/api/uuid?count=1${"&x".repeat(1_000)}`,
    `unknown parameters "x", "x", "x" and at least 997 more: ${UUID}`,
  ],
  ["/api/uuid?a%00%E2%80%AE=", `unknown parameter "a\\u0000\\u202e": ${UUID}`],
] as const;

Deno.test("an unknown parameter is an error that names it and the known ones", async (t) => {
  for (const [target, message] of UNKNOWN) {
    await t.step(target.slice(0, 60), async () => {
      assertError(await call(target), 400, message);
    });
  }
});

Deno.test("a query without parameters isn't an error", async () => {
  for (const target of ["/api/uuid?", "/api/uuid?&", "/api/uuid?count=1&"]) {
    assertEquals((await call(target)).status, 200);
  }
});

Deno.test("OPTIONS, /healthz, and /mcp ignore the query", async () => {
  const preflight = await call("/api/uuid?x=1", { method: "OPTIONS" });
  assertEquals(preflight.status, 204);
  const message = { jsonrpc: "2.0", id: 1, method: "ping" };
  const rows = [
    await call("/healthz?x=1"),
    await call("/healthz?x=1", { method: "HEAD" }),
    await call("/mcp?x=1", { method: "POST", body: JSON.stringify(message) }),
  ];
  assertEquals(rows.map(({ status }) => status), [200, 200, 200]);
});

Deno.test("a query in a POST is an error that asks for the body", async () => {
  const fields = { algorithm: "sha256", input: "abc" };
  assertError(
    await post("/api/hash?algorithm=sha1", fields),
    400,
    'the query must be empty, got "algorithm=sha1": send the fields in the JSON body',
  );
  assertEquals((await post("/api/hash?", fields)).status, 200);
});

Deno.test("an unsupported value gets 501, even next to unknown fields", async () => {
  const message =
    '"algorithm" must be "sha1", "sha256" or "sha512", got "md5", which Web Crypto does not support';
  for (const fields of [{}, { input: 1 }, { x: 1 }, { input: "a", x: null }]) {
    const response = await post("/api/hash", { ...fields, algorithm: "md5" });
    assertError(response, 501, message);
  }
});
