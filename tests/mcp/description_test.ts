/** Tools made of descriptions by hand: what `openapi.json` does not have, too. */

import { assertEquals } from "@std/assert";
import { createTools, type Description } from "../../lib/mcp/tools.ts";

const ADVICE = { use: "Use it.", isIdempotent: true };

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

function createOnly(
  operation: object,
  { path = "/a", method = "get", components = {}, advice = ADVICE } = {},
) {
  const description: Description = {
    paths: { [path]: { [method]: operation } },
    components,
  };
  const tools = createTools(description, { [path]: advice });
  assertEquals(tools.length, 1);
  return tools[0]!;
}

Deno.test("an operation with the least there can be is a tool without arguments and with any result", () => {
  const operation = { operationId: "doIt", summary: "Do it", responses: {} };
  assertEquals(createOnly(operation).definition, {
    name: "doIt",
    title: "Do it",
    description: "Do it. Use it.",
    inputSchema: { type: "object", properties: {} },
    outputSchema: { type: "object" },
    annotations: ANNOTATIONS,
  });
  for (const responses of [{ 200: {} }, { 200: { content: {} } }]) {
    const { definition } = createOnly({ ...operation, responses });
    assertEquals(definition.outputSchema, { type: "object" });
  }
});

Deno.test("the members of a body are the arguments, and its schema is left as it is", () => {
  const schema = {
    type: "object" as const,
    required: ["a"],
    properties: { a: { type: "string", examples: ["x"] } },
  };
  const answer = { oneOf: [{ required: ["b"] }, { required: ["c"] }] };
  const { definition } = createOnly({
    operationId: "doIt",
    summary: "Do it",
    description: "It is done.",
    requestBody: { content: { "application/json": { schema } } },
    responses: {
      200: { content: { "application/json": { schema: answer } } },
      400: { content: { "application/json": { schema: {} } } },
    },
  }, { method: "post", advice: { ...ADVICE, isIdempotent: false } });
  assertEquals(definition, {
    name: "doIt",
    title: "Do it",
    description: "Do it. Use it. It is done.",
    inputSchema: schema,
    outputSchema: { type: "object", ...answer },
    annotations: { ...ANNOTATIONS, idempotentHint: false },
  });
});

Deno.test("parameters are arguments, each with its schema, what is said of it and its example", () => {
  const schema = { type: "integer", minimum: 1 };
  const { definition } = createOnly({
    operationId: "doIt",
    summary: "Do it",
    parameters: [
      { name: "a", schema },
      { name: "b", schema, description: "How many.", example: 0 },
      { name: "c", schema, required: true },
      { name: "d", schema, required: false },
      { name: "e", schema, required: true },
    ],
    responses: {},
  });
  assertEquals(definition.inputSchema, {
    type: "object",
    properties: {
      a: schema,
      b: { ...schema, description: "How many.", examples: [0] },
      c: schema,
      d: schema,
      e: schema,
    },
    required: ["c", "e"],
  });
});

Deno.test("references are replaced by what they lead to, in lists and through others", () => {
  const operation = {
    operationId: "doIt",
    summary: "Do it",
    parameters: [{ $ref: "#/components/parameters/Count" }],
    responses: { 200: { $ref: "#/components/responses/Done" } },
  };
  const components = {
    parameters: {
      Count: { name: "count", schema: { $ref: "#/components/schemas/Count" } },
    },
    responses: {
      Done: {
        content: {
          "application/json": {
            schema: {
              oneOf: [{ $ref: "#/components/schemas/Count" }, 5, null, "x"],
            },
          },
        },
      },
    },
    schemas: { Count: { type: "integer" } },
  };
  const { definition } = createOnly(operation, { components });
  assertEquals(definition.inputSchema, {
    type: "object",
    properties: { count: { type: "integer" } },
  });
  assertEquals(definition.outputSchema, {
    type: "object",
    oneOf: [{ type: "integer" }, 5, null, "x"],
  });
});

Deno.test("each method of each path that has advice is a tool, in the order in which they stand", () => {
  const operation = (operationId: string) => ({
    operationId,
    summary: operationId,
    responses: {},
  });
  const description = {
    paths: {
      "/b": { post: operation("b1"), get: operation("b2") },
      "/x": { get: operation("x") },
      "/a": { get: operation("a") },
    },
    components: {},
  };
  const tools = createTools(description, { "/a": ADVICE, "/b": ADVICE });
  assertEquals(
    tools.map(({ definition }) => definition.name),
    ["b1", "b2", "a"],
  );
});

Deno.test("a call is a request to the endpoint, with the arguments as its query", async (t) => {
  const tool = createOnly({
    operationId: "doIt",
    summary: "Do it",
    parameters: ["a", "b", "toString"].map((name) => ({ name, schema: {} })),
    responses: {},
  }, { path: "/api/a", method: "delete" });
  const rows = [
    [{}, ""],
    [{ a: "x" }, "a=x"],
    [{ b: "x", a: "y" }, "a=y&b=x"],
    [{ a: "ü &" }, "a=%C3%BC+%26"],
    [{ a: 5, b: null }, "a=5&b=null"],
    [
      { a: [1, "x"], b: { c: true } },
      "a=%5B1%2C%22x%22%5D&b=%7B%22c%22%3Atrue%7D",
    ],
    [{ a: "", unknown: "x" }, "a="],
  ] as const;
  for (const [args, query] of rows) {
    await t.step(JSON.stringify(args), () => {
      const { method, url, body } = tool.createRequest(args);
      assertEquals({ method, url, body }, {
        method: "DELETE",
        url: `http://localhost/api/a?${query}`,
        body: null,
      });
    });
  }
});

Deno.test("a call of what has a body is a request with the arguments as that", async () => {
  const tool = createOnly({
    operationId: "doIt",
    summary: "Do it",
    requestBody: { content: { "application/json": { schema: {} } } },
    responses: {},
  }, { path: "/api/a", method: "patch" });
  const args = { a: ["x", 1.5], b: null };
  const request = tool.createRequest(args);
  assertEquals(request.method, "PATCH");
  assertEquals(request.url, "http://localhost/api/a");
  assertEquals(await request.text(), '{"a":["x",1.5],"b":null}');
});
