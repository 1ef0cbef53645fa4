/** A function `admit` of a program's own, which receives the bodies of requests. */

import { assertEquals, assertMatch } from "@std/assert";
import { createHandler, type HandlerOptions } from "../../routes/mod.ts";
import { call } from "../_client.ts";
import { fetchWithin } from "../_within.ts";
import { captureLog } from "../_replace.ts";

const HASH = JSON.stringify({ algorithm: "sha1", input: "abc" });
const DIGEST = "a9993e364706816aba3e25717850c26c9cd0d89d";

/** Sends a POST to a handler with an `admit` of any type. */
async function send(admit: unknown, path: string, body: string) {
  const handler = createHandler({ admit } as Partial<HandlerOptions>);
  const init = { method: "POST", body };
  return await handler(new Request(`http://h${path}`, init));
}

Deno.test("a function admit can receive the body, and answer by itself", async () => {
  const handler = createHandler({
    async admit(request, _info, compute) {
      if (request.headers.has("x-refused")) return { result: "refused" };
      return await compute(await request.bytes(), () => undefined);
    },
  });
  const init = { method: "POST", body: HASH, handler };
  assertEquals((await call("/api/hash", init)).body?.["result"], DIGEST);
  const headers = { "x-refused": "1" };
  const refused = await call("/api/hash", { ...init, headers });
  assertEquals(refused.body, { result: "refused" });
});

Deno.test("what a function admit returns is sent if it is an object, text, bytes or a Response", async () => {
  const text = '{"a":1}\n';
  const answers = [
    { a: 1 },
    text,
    new TextEncoder().encode(text),
    new Response(text),
  ];
  for (const answer of answers) {
    const response = await send(() => Promise.resolve(answer), "/api/hash", "");
    assertEquals([response.status, await response.text()], [200, text]);
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
  }
});

Deno.test("a function admit may return a Response whose headers cannot be changed", async () => {
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("hi", { status: 201, headers: { "x-own": "1" } }),
  );
  const origin = `http://127.0.0.1:${server.addr.port}/`;
  const fetched = await send(() => fetchWithin(origin), "/api/hash", "");
  assertEquals([fetched.status, await fetched.text()], [201, "hi"]);
  assertEquals(fetched.headers.get("x-own"), "1");
  assertEquals(fetched.headers.get("access-control-allow-origin"), "*");
  const call = await send(() => fetch(origin), "/mcp", "");
  assertEquals([call.status, await call.text()], [201, "hi"]);
  const redirect = () => Promise.resolve(Response.redirect(origin));
  const redirected = await send(redirect, "/api/hash", "");
  assertEquals(redirected.status, 302);
  assertEquals(redirected.headers.get("location"), origin);
});

const FAILING = {
  "that returns nothing": () => {},
  "that returns a number": () => 5,
  "that resolves with null": () => Promise.resolve(null),
  "that throws": () => {
    throw new Error("thrown");
  },
  "that rejects": () => Promise.reject(new Error("rejected")),
};

for (const [name, admit] of Object.entries(FAILING)) {
  Deno.test(`a function admit ${name} causes a 500, as JSON-RPC for agents`, async () => {
    using log = captureLog();
    const hash = await send(admit, "/api/hash", HASH);
    assertEquals(hash.status, 500);
    assertEquals(await hash.json(), { error: "internal error" });
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const call = await send(admit, "/mcp", ping);
    assertEquals(call.status, 500);
    assertEquals((await call.json()).error.message, "internal error");
    assertEquals(log.lines.length, 2);
    for (const [, line] of log.lines) assertMatch(line, /TypeError|Error: /);
  });
}
