/** Failures over HTTP: a JSON-RPC error with the status of the failure. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHandler } from "../../routes/mod.ts";
import { captureLog, replace } from "../_replace.ts";
import { callTool, type HttpAnswer, send } from "./_client.ts";

/** Asserts that an answer is exactly this JSON-RPC error. */
function assertFailed(
  { status, body }: HttpAnswer,
  expected: { status: number; message: string; code?: number },
): void {
  const { message, code = -32600 } = expected;
  assertEquals([status, body], [expected.status, {
    jsonrpc: "2.0",
    id: null,
    error: { code, message },
  }]);
}

Deno.test("POST /mcp rejects a message of more than MAX_BODY_BYTES with 413", async () => {
  const handler = createHandler({ maxBodyBytes: 100 });
  const body = new Blob(["x".repeat(108)]);
  const expected = {
    status: 413,
    message: "the body must be at most 100 bytes",
  };
  const headers = { "content-length": "108" };
  assertFailed(await send(body, headers, handler), expected);
  assertFailed(await send(body.stream(), {}, handler), expected);
});

Deno.test("POST /mcp rejects a message that does not arrive in time with 408", async () => {
  const handler = createHandler({ bodyTimeoutMs: 20 });
  assertFailed(await send(new ReadableStream(), {}, handler), {
    status: 408,
    message: "the body must arrive within 20 milliseconds",
  });
});

Deno.test("POST /mcp rejects a message that breaks off with 400", async () => {
  const broken = new ReadableStream({
    start: (controller) => controller.error(new Error("gone")),
  });
  assertFailed(await send(broken), {
    status: 400,
    message: "the body broke off before its end",
  });
});

Deno.test("POST /mcp rejects an empty body with 400", async () => {
  assertFailed(await send(""), {
    status: 400,
    code: -32700,
    message:
      "a message must be JSON: expected a JSON value, got the end of the text at line 1, column 1",
  });
});

Deno.test("POST /mcp rejects a compressed message with 415", async () => {
  const answer = await send("{}", { "content-encoding": "gzip" });
  assertFailed(answer, {
    status: 415,
    message:
      'the Content-Encoding header must be "identity" or absent, got "gzip"',
  });
  assertEquals(answer.headers.get("accept-encoding"), "identity");
});

Deno.test("POST /mcp answers an unexpected failure with 500, and its details are only logged", async () => {
  using log = captureLog();
  const { decode } = TextDecoder.prototype;
  let isFaulty = true;
  using _ = replace(TextDecoder.prototype, {
    decode(this: TextDecoder, ...args) {
      if (!isFaulty) return decode.apply(this, args);
      isFaulty = false;
      throw new RangeError("the secret");
    },
  });
  assertFailed(await send("{}"), {
    status: 500,
    code: -32603,
    message: "internal error",
  });
  assertEquals(log.lines.length, 1);
  assertMatch(log.lines[0]![1], /^unexpected error: RangeError: the secret /);
});

Deno.test("POST /mcp rejects large messages with 503 when the memory is used up", async () => {
  const handler = createHandler();
  const input = `"${"x".repeat(1_000_000)}"`;
  const calls = Array.from({ length: 100 }, (_, id) => {
    const args = { action: "validate", input };
    return send(callTool("processJson", args, id), {}, handler);
  });
  let rejected = 0;
  for (
    const [id, { status, headers, body }] of (await Promise.all(calls))
      .entries()
  ) {
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
