/** Calls of tools on their way to the endpoints. */

import { assert, assertEquals } from "@std/assert";
import { HttpError } from "../../lib/http_error.ts";
import { readJsonObject } from "../../lib/http/input.ts";
import type { Context, Handler } from "../../lib/http/router.ts";
import {
  type CallContext,
  createCallTool,
  MAX_RESULT_BYTES,
  type ToolResult,
} from "../../lib/mcp/call.ts";
import type { Tool } from "../../lib/mcp/tools.ts";
import { createContext } from "../_context.ts";
import { captureLog } from "../_replace.ts";

const CONTEXT: CallContext = createContext(
  new Request("http://localhost/mcp", { method: "POST" }),
);

/** A tool with the arguments `a` and `b`, whose endpoint is `/it`. */
function createTool(hasBody: boolean): Tool {
  return {
    definition: {
      name: "doIt",
      title: "Do it",
      description: "Do it.",
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
      annotations: {},
    },
    method: hasBody ? "POST" : "GET",
    path: "/it",
    argumentNames: ["a", "b"],
    hasBody,
  };
}

function createError(text: string): ToolResult {
  return { text, isError: true };
}

/** Calls the tool, whose endpoint answers with the handler. */
function call(
  handler: Handler,
  args: Readonly<Record<string, unknown>> = {},
  hasBody = false,
) {
  const pattern = new URLPattern({ pathname: "/it" });
  const other = () => {
    throw new Error("the other");
  };
  const callTool = createCallTool([
    { method: hasBody ? "GET" : "POST", pattern, handler: other },
    { method: hasBody ? "POST" : "GET", pattern, handler },
  ]);
  return callTool(createTool(hasBody), args, CONTEXT);
}

Deno.test("the fields of a body reach the endpoint as they are, without a copy", async () => {
  const args = { a: [{}], b: "é" };
  let read: unknown;
  await call(
    async (_request, context) => {
      read = await readJsonObject(context);
      assertEquals(context.query, "");
      return new Response("{}");
    },
    args,
    true,
  );
  assert(read === args);
});

Deno.test("parameters reach the endpoint as a query", async (t) => {
  const rows = [
    [{}, ""],
    [{ a: "x" }, "a=x"],
    [{ b: "x", a: "y" }, "b=x&a=y"],
    [{ a: "ü &" }, "a=%C3%BC+%26"],
    [{ a: 5, b: null }, "a=5&b=null"],
    [{ a: [1, "x"], b: { c: true } }, "a=an+array&b=an+object"],
    [{ a: "", b: false }, "a=&b=false"],
  ] as const;
  for (const [args, query] of rows) {
    await t.step(JSON.stringify(args), async () => {
      const queries: string[] = [];
      await call((_request, context) => {
        queries.push(context.query);
        assertEquals(context.fields, undefined);
        return new Response("{}");
      }, args);
      assertEquals(queries, [query]);
    });
  }
});

Deno.test("an endpoint has the context of the message, but does not know when the answer has left", async () => {
  const contexts: Context[] = [];
  const requests: Request[] = [];
  const completed = Promise.resolve();
  const callTool = createCallTool([{
    method: "GET",
    pattern: new URLPattern({ pathname: "/it" }),
    handler(request, context) {
      requests.push(request);
      contexts.push(context);
      return new Response("{}");
    },
  }]);
  const context = { ...CONTEXT, path: "/mcp", info: { completed } };
  await callTool(createTool(false), { a: 1 }, context);
  assert(requests[0] === CONTEXT.request);
  assertEquals(contexts, [{
    ...CONTEXT,
    path: "/it",
    query: "a=1",
    fields: undefined,
    info: undefined,
  }]);
});

Deno.test("no unknown argument reaches the endpoint", async () => {
  const result = await call(
    () => {
      throw new Error("it was called");
    },
    { a: 1, c: 2 },
  );
  assertEquals(
    result,
    createError(
      'unknown argument "c": the arguments of doIt are "a", "b"',
    ),
  );
});

Deno.test("what the endpoint answers is the result", async () => {
  const text = '{ "a": "\\u00e9é" }';
  const result = await call(() => new Response(text));
  assertEquals(result, { text, isError: false });
});

Deno.test("what the endpoint refuses is an error for the model, and a failure has no details", async () => {
  using log = captureLog();
  const refuse = () => {
    throw new HttpError(400, "no");
  };
  assertEquals(await call(refuse), createError("no"));
  const fail = () => Promise.reject(new TypeError("the secret"));
  assertEquals(await call(fail), createError("internal error"));
  assertEquals(log.lines.length, 1);
});

Deno.test("a larger result is not read", async () => {
  for (const isTooLarge of [false, true]) {
    let isCancelled = false;
    const length = MAX_RESULT_BYTES + Number(isTooLarge);
    const bytes = new TextEncoder().encode(`"${"x".repeat(length - 2)}"`);
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
      cancel() {
        isCancelled = true;
      },
    }, { highWaterMark: 0 });
    const headers = { "content-length": String(length) };
    const result = await call(() => new Response(body, { headers }));
    assertEquals([result.isError, isCancelled], [
      isTooLarge,
      isTooLarge,
    ]);
  }
});

Deno.test("calls wait for no other", async () => {
  const begun: string[] = [];
  const first = Promise.withResolvers<Response>();
  const handler: Handler = (_request, { query }) => {
    begun.push(query);
    return query === "a=1" ? first.promise : new Response("{}");
  };
  const large = call(handler, { a: 1 });
  const small = await call(handler, { a: 2 });
  assertEquals([begun, small.text], [["a=1", "a=2"], "{}"]);
  first.resolve(new Response("[]"));
  assertEquals((await large).text, "[]");
});
