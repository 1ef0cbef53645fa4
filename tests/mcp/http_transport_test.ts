/** The HTTP transport: statuses, headers, and methods, without event streams. */

import { assertEquals, assertMatch } from "@std/assert";
import { createHandler } from "../../routes/mod.ts";
import { assertError, call } from "../_client.ts";
import { captureLog, createFaulty } from "../_replace.ts";
import { send } from "./_agent.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const SMALL = createHandler({ maxBodyBytes: 100 });
const IMPATIENT = createHandler({ bodyTimeoutMs: 20 });
const LONG = new Blob(["x".repeat(108)]);
const BROKEN = new ReadableStream({
  start: (controller) => controller.error(new Error("gone")),
});

Deno.test("POST /mcp returns a status and a JSON-RPC error for a message that it cannot read", async (t) => {
  const tooLong = "the body must be at most 100 bytes";
  const late = "the body must arrive within 20 milliseconds";
  const encoded =
    'the Content-Encoding header must be "identity" or absent, got "gzip"';
  const empty =
    "a message must be JSON: expected a JSON value, got the end of the text at line 1, column 1";
  const rows: readonly (readonly [unknown, HeadersInit, number, string])[] = [
    [LONG, { "content-length": "108" }, 413, tooLong],
    [LONG.stream(), {}, 413, tooLong],
    [new ReadableStream(), {}, 408, late],
    [BROKEN, {}, 400, "the body must be complete, got only part of it"],
    ["{}", { "content-encoding": "gzip" }, 415, encoded],
    ["", {}, 400, empty],
  ];
  for (const [sent, headers, status, message] of rows) {
    await t.step(message, async () => {
      const handler = status === 408 ? IMPATIENT : SMALL;
      const response = await send(sent, headers, handler);
      const code = message === empty ? -32700 : -32600;
      const body = { jsonrpc: "2.0", id: null, error: { code, message } };
      assertEquals([response.status, response.body], [status, body]);
      const identity = status === 415 ? "identity" : null;
      assertEquals(response.headers.get("accept-encoding"), identity);
      const exposed = response.headers.get("access-control-expose-headers");
      assertEquals(exposed, null);
    });
  }
});

Deno.test("an unexpected failure of POST /mcp gets 500, and its details are only logged", async () => {
  using log = captureLog();
  const request = createFaulty("/mcp", new RangeError("the secret"));
  const response = await createHandler()(request);
  const { id, error } = await response.json();
  assertEquals([response.status, id], [500, null]);
  assertEquals(error, { code: -32603, message: "internal error" });
  assertEquals(log.lines.length, 1);
  assertMatch(log.lines[0]![1], /^unexpected error: RangeError: the secret /);
});

Deno.test("/mcp never opens an event stream", async () => {
  const accept = "text/event-stream";
  const { body } = await send(PING, { accept });
  assertEquals(body, { jsonrpc: "2.0", id: 1, result: {} });
  // DELETE would end a session.
  for (const method of ["GET", "DELETE"]) {
    const response = await call("/mcp", { method, headers: { accept } });
    assertError(response, 405, `the method must be POST, got "${method}"`);
    assertEquals(response.headers.get("allow"), "POST");
  }
});

Deno.test("docs/agents.md shows the result of a call", async () => {
  const page = await Deno.readTextFile("docs/agents.md");
  const [, message, response] = /^\$ curl .* -d '(.+)'\n(.+)$/m.exec(page)!;
  assertEquals((await send(message)).body, JSON.parse(response!));
});
