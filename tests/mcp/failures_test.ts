/** Failures over HTTP: a JSON-RPC error with the status of the failure. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { FetchHandler } from "../../lib/http/middleware.ts";
import { createTestHandler } from "../_client.ts";
import { captureLog, replace } from "../_replace.ts";
import { callTool, checkResponse, type HttpAnswer, send } from "./_client.ts";

/** Asserts that an answer is exactly this JSON-RPC error. */
function assertFailed(
  { status, body }: HttpAnswer,
  expected: { status: number; id: unknown; code: number; message: string },
): void {
  const { code, message, ...others } = expected;
  assertEquals({ status, body }, {
    status: others.status,
    body: { jsonrpc: "2.0", id: others.id, error: { code, message } },
  });
}

function post(handler: FetchHandler, body: BodyInit): Promise<HttpAnswer> {
  const init = { method: "POST", body };
  return Promise.resolve(handler(new Request("http://localhost/mcp", init)))
    .then(checkResponse);
}

Deno.test("POST /mcp rejects a message of more than MAX_BODY_BYTES with 413", async (t) => {
  const handler = createTestHandler({ maxBodyBytes: 100 });
  const body = JSON.stringify({ x: "x".repeat(100) });
  const expected = {
    status: 413,
    id: null,
    code: -32600,
    message: "the body must be at most 100 bytes",
  };
  await t.step("with Content-Length", async () => {
    assertFailed(await send(body, { "content-length": "108" }, handler), {
      ...expected,
    });
  });
  await t.step("without Content-Length", async () => {
    assertFailed(await post(handler, new Blob([body]).stream()), expected);
  });
});

Deno.test("POST /mcp rejects a message that does not arrive in time with 408", async () => {
  const handler = createTestHandler({ bodyTimeoutMs: 20 });
  const answer = await post(handler, new ReadableStream());
  assertFailed(answer, {
    status: 408,
    id: null,
    code: -32600,
    message: "the body must arrive within 20 milliseconds",
  });
});

Deno.test("POST /mcp rejects a message that breaks off with 400", async () => {
  const broken = new ReadableStream({
    start: (controller) => controller.error(new Error("gone")),
  });
  assertFailed(await post(createTestHandler(), broken), {
    status: 400,
    id: null,
    code: -32600,
    message: "the body broke off before its end",
  });
});

Deno.test("POST /mcp rejects a compressed message with 415", async () => {
  const answer = await send("{}", { "content-encoding": "gzip" });
  assertFailed(answer, {
    status: 415,
    id: null,
    code: -32600,
    message:
      'the Content-Encoding header must be "identity" or absent, got "gzip"',
  });
  assertEquals(answer.headers.get("accept-encoding"), "identity");
});

Deno.test("POST /mcp answers an unexpected failure with 500, and its details are only logged", async () => {
  using log = captureLog();
  using _ = replace(TextDecoder.prototype, {
    decode() {
      throw new RangeError("the secret");
    },
  });
  const response = await createTestHandler()(
    new Request("http://localhost/mcp", { method: "POST", body: "{}" }),
  );
  assertEquals([response.status, await response.json()], [500, {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32603, message: "internal error" },
  }]);
  assertEquals(log.lines.length, 1);
  assertMatch(log.lines[0]![1], /^unexpected error: RangeError: the secret /);
});

Deno.test("POST /mcp rejects large messages with 503 when the memory is used up", async () => {
  const handler = createTestHandler();
  const input = `"${"x".repeat(1_000_000)}"`;
  const calls = Array.from({ length: 100 }, (_, id) => {
    const args = { action: "validate", input };
    return send(callTool("processJson", args, id), {}, handler);
  });
  const answers = (await Promise.all(calls)).entries();
  let rejected = 0;
  for (const [id, { status, headers, body }] of answers) {
    if (status === 200) {
      assertEquals(body.result.structuredContent?.valid, true);
      continue;
    }
    rejected += 1;
    assertEquals(status, 503);
    assertEquals(headers.get("retry-after"), "1");
    assertEquals(headers.get("access-control-expose-headers"), "retry-after");
    assertEquals(body.error.code, -32000);
    assertMatch(body.error.message, /please try again$/);
    // The identifier is null if the message was rejected before it was read.
    assert([id, null].includes(body.id), `identifier ${body.id}`);
  }
  assert(rejected > 0);
  // Nothing stays reserved.
  const again = callTool("processJson", { action: "validate", input });
  assertEquals((await send(again, {}, handler)).status, 200);
});
