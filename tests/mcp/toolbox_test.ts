/** Calls of tools on their way to the endpoints. */

import { assertEquals } from "@std/assert";
import type { Context, Handler, Route } from "../../lib/http/router.ts";
import { HttpError } from "../../lib/http/errors.ts";
import { Memory } from "../../lib/http/memory.ts";
import { Turns } from "../../lib/http/turns.ts";
import { createToolboxes } from "../../lib/mcp/toolbox.ts";
import { captureLog } from "../_replace.ts";

/** What the endpoints are given of the one who called. */
const CONTEXT = {
  memory: new Memory(1),
  turns: new Turns(),
  readBody: () => Promise.reject(),
  maxBodyBytes: 5,
  isStopping: () => false,
};

const SERVICE = {
  version: "1.2.3",
  description: {
    paths: {
      "/a": { get: { operationId: "callA", summary: "A", responses: {} } },
      "/b": { get: { operationId: "callB", summary: "B", responses: {} } },
    },
    components: {},
  },
  advice: { "/a": { use: "Use it.", isIdempotent: true } },
};

/** A toolbox whose only endpoint is `/a`. */
function createToolbox(handler: Handler, context: object = CONTEXT) {
  const pattern = new URLPattern({ pathname: "/a" });
  const routes: Route[] = [{ method: "GET", pattern, handler }];
  return createToolboxes(routes, SERVICE)(context as Context);
}

Deno.test("a toolbox has the service's version and a tool of each endpoint with advice", () => {
  const { version, tools } = createToolbox(() => new Response());
  assertEquals(version, "1.2.3");
  assertEquals(tools.map(({ definition }) => definition.name), ["callA"]);
});

Deno.test("an endpoint is given the caller's context, but does not know when the answer has left", async () => {
  const contexts: Context[] = [];
  const { callEndpoint } = createToolbox((_request, context) => {
    contexts.push(context);
    return new Response("x");
  }, { ...CONTEXT, info: { completed: Promise.resolve() }, path: "/mcp" });
  const response = await callEndpoint(new Request("http://localhost/a?b=c"));
  assertEquals(await response.text(), "x");
  assertEquals(contexts, [
    { ...CONTEXT, info: undefined, path: "/a", query: "b=c" },
  ]);
});

Deno.test("calls are answered one after another, in the order in which they came", async () => {
  const begun: string[] = [];
  const answers: PromiseWithResolvers<Response>[] = [];
  const { callEndpoint } = createToolbox((_request, { query }) => {
    begun.push(query);
    const answer = Promise.withResolvers<Response>();
    answers.push(answer);
    return answer.promise;
  });
  const calls = ["1", "2", "3"].map((query) =>
    callEndpoint(new Request(`http://localhost/a?${query}`))
  );
  for (let n = 1; n <= calls.length; n += 1) {
    // More turns than a call would need, were it let go.
    for (let i = 0; i < 10; i += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assertEquals(begun, ["1", "2", "3"].slice(0, n));
    answers.at(-1)!.resolve(new Response(`answer ${n}`));
    const response = await calls[n - 1]!;
    assertEquals(await response.text(), `answer ${n}`);
  }
});

Deno.test("a call waits for its turn, behind other long work", async () => {
  const turn = Promise.withResolvers<void>();
  class LateTurns extends Turns {
    override take(): Promise<void> {
      return turn.promise;
    }
  }
  let hasBegun = false;
  const { callEndpoint } = createToolbox(() => {
    hasBegun = true;
    return new Response("x");
  }, { ...CONTEXT, turns: new LateTurns() });
  const answer = callEndpoint(new Request("http://localhost/a"));
  await new Promise((resolve) => setImmediate(resolve));
  assertEquals(hasBegun, false);
  turn.resolve();
  assertEquals(await (await answer).text(), "x");
});

Deno.test("a call that an endpoint refuses or fails is an answer, and others follow", async () => {
  using log = captureLog();
  const errors = [new HttpError(400, "no"), new Error("the secret")];
  const { callEndpoint } = createToolbox(() => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return new Response("x");
  });
  const call = (path: string) =>
    callEndpoint(new Request(`http://localhost${path}`));
  const answers = await Promise.all(["/a", "/a", "/b", "/a"].map(call));
  assertEquals(
    await Promise.all(answers.map(async (response) =>
      [
        response.status,
        await response.text(),
      ] as const
    )),
    [
      [400, '{"error":"no"}'],
      [500, '{"error":"internal error"}'],
      [404, '{"error":"no such path: \\"/b\\""}'],
      [200, "x"],
    ],
  );
  assertEquals(log.lines.length, 1);
});
