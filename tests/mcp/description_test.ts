/** Tools made of descriptions by hand: what `openapi.json` does not have, too. */

import { assertEquals } from "@std/assert";
import {
  createTools,
  type Description,
  readServerTexts,
} from "../../lib/mcp/tools.ts";

const WORDS = { description: "Do it.", idempotent: true };

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The tool of the only operation of a description. */
function createOnly(
  operation: object,
  { path = "/a", method = "get", components = {} } = {},
) {
  const description: Description = {
    info: {},
    paths: { [path]: { [method]: { "x-tool": WORDS, ...operation } } },
    components,
  };
  const tools = createTools(description);
  assertEquals(tools.length, 1);
  return tools[0]!;
}

Deno.test("an operation with the least there can be is a tool without arguments and with any result", () => {
  const operation = { operationId: "doIt", summary: "Do it", responses: {} };
  assertEquals(createOnly(operation), {
    definition: {
      name: "doIt",
      title: "Do it",
      description: "Do it.",
      inputSchema: {
        type: "object",
        properties: {},
        additionalProperties: false,
      },
      outputSchema: { type: "object" },
      annotations: ANNOTATIONS,
    },
    method: "GET",
    path: "/a",
    argumentNames: [],
    hasBody: false,
  });
  for (const responses of [{ 200: {} }, { 200: { content: {} } }]) {
    const { definition } = createOnly({ ...operation, responses });
    assertEquals(definition.outputSchema, { type: "object" });
  }
});

Deno.test("the words for models stand in place of those beside them, wherever they are", () => {
  const { definition } = createOnly({
    operationId: "doIt",
    summary: "Do it",
    description: "It is answered with 200.",
    parameters: [
      {
        name: "a",
        description: "Also `1`.",
        "x-tool": { description: "Whether." },
        schema: { enum: [1, 2], "x-tool": { enum: [1] } },
      },
      { name: "b", description: "As it is.", schema: {} },
    ],
    responses: {},
  });
  assertEquals(definition.description, "Do it.");
  assertEquals(definition.inputSchema.properties, {
    a: { enum: [1], description: "Whether." },
    b: { description: "As it is." },
  });
});

Deno.test("the members of a body are the arguments, and there are no others", () => {
  const schema = {
    type: "object" as const,
    required: ["a"],
    properties: {
      a: { type: "string", description: "It.", default: "x", examples: ["y"] },
    },
  };
  const tool = createOnly({
    operationId: "doIt",
    summary: "Do it",
    "x-tool": { description: "Do it." },
    requestBody: { content: { "application/json": { schema } } },
    responses: { 400: { content: { "application/json": { schema: {} } } } },
  }, { path: "/api/a", method: "post" });
  assertEquals(tool, {
    definition: {
      name: "doIt",
      title: "Do it",
      description: "Do it.",
      inputSchema: {
        type: "object",
        required: ["a"],
        properties: {
          a: { type: "string", description: "It.", default: "x" },
        },
        additionalProperties: false,
      },
      outputSchema: { type: "object" },
      annotations: { ...ANNOTATIONS, idempotentHint: false },
    },
    method: "POST",
    path: "/api/a",
    argumentNames: ["a"],
    hasBody: true,
  });
});

Deno.test("parameters are arguments, each with its schema and its description", () => {
  const schema = { type: "integer", minimum: 1 };
  const { definition, argumentNames } = createOnly({
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
      b: { ...schema, description: "How many." },
      c: schema,
      d: schema,
      e: schema,
    },
    required: ["c", "e"],
    additionalProperties: false,
  });
  assertEquals(argumentNames, ["a", "b", "c", "d", "e"]);
});

/** The schema of a result, made of that of an answer. */
function createOutput(schema: object) {
  return createOnly({
    operationId: "doIt",
    summary: "Do it",
    responses: { 200: { content: { "application/json": { schema } } } },
  }).definition.outputSchema;
}

Deno.test("the schema of a result has types, and no words or bounds", () => {
  const bounds = { minLength: 1, maxLength: 2, pattern: "x", examples: ["x"] };
  assertEquals(
    createOutput({
      type: "object",
      description: "It.",
      required: ["pattern"],
      properties: {
        pattern: { type: "string", description: "It.", ...bounds },
        list: {
          type: "array",
          minItems: 1,
          maxItems: 2,
          items: { type: "string", enum: ["x"], ...bounds },
        },
      },
    }),
    {
      type: "object",
      required: ["pattern"],
      properties: {
        pattern: { type: "string" },
        list: { type: "array", items: { type: "string", enum: ["x"] } },
      },
    },
  );
});

Deno.test("a result that is one of several objects is one object that has the members of one of them", () => {
  assertEquals(
    createOutput({
      oneOf: [
        { type: "object", required: ["a"], properties: { a: { minimum: 1 } } },
        {
          type: "object",
          required: ["b"],
          properties: { b: { type: "string", pattern: "x" } },
        },
      ],
    }),
    {
      type: "object",
      properties: { a: { minimum: 1 }, b: { type: "string" } },
      additionalProperties: false,
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
  );
});

Deno.test("references are replaced by their targets, in lists and through others", () => {
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
              allOf: [{ $ref: "#/components/schemas/Count" }, 5, null, "x"],
            },
          },
        },
      },
    },
    schemas: { Count: { type: "integer" } },
  };
  const { definition } = createOnly(operation, { components });
  assertEquals(definition.inputSchema.properties, {
    count: { type: "integer" },
  });
  assertEquals(definition.outputSchema, {
    type: "object",
    allOf: [{ type: "integer" }, 5, null, "x"],
  });
});

Deno.test("each method of each path that has words for models is a tool, in the description's order", () => {
  const operation = (operationId: string) => ({
    operationId,
    summary: operationId,
    "x-tool": WORDS,
    responses: {},
  });
  const tools = createTools({
    info: {},
    paths: {
      "/b": { post: operation("b1"), get: operation("b2") },
      "/x": { get: { operationId: "x", summary: "x", responses: {} } },
      "/a": { get: operation("a") },
    },
    components: {},
  });
  assertEquals(
    tools.map(({ definition }) => definition.name),
    ["b1", "b2", "a"],
  );
});

Deno.test("the server is described by the words for models, and by no others", () => {
  const words = {
    name: "it",
    title: "It",
    description: "Does it.",
    instructions: "Do it.",
  };
  const info = { title: "The service", version: "1", "x-tool": words };
  assertEquals(readServerTexts({ info, paths: {}, components: {} }), words);
});
