/** The list of tools, which clients pass to their model. */

import { assert, assertEquals, equal } from "@std/assert";
import type { ListToolsResult } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv";
import { loadOperations } from "../../routes/operations.ts";
import { CALLS, callTool, send } from "./_client.ts";

const OPERATIONS = await loadOperations();

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const { tools }: ListToolsResult = (await send(list)).body.result;

/** Returns a tool, which must exist. */
function findTool(name: string): ListToolsResult["tools"][number] {
  return tools.find((tool) => tool.name === name)!;
}

Deno.test("the tools are the operations, with descriptions for models", () => {
  assertEquals(
    tools.map(({ name, title }) => [name, title]),
    OPERATIONS.map(({ tool, summary }) => [tool.name, summary]),
  );
  for (const { name, annotations, inputSchema } of tools) {
    const properties = inputSchema.properties as Record<string, object>;
    for (const [argument, schema] of Object.entries(properties)) {
      const isDescribed = "description" in schema || "enum" in schema;
      const message = `${name}.${argument} needs a description or an enum`;
      assert(isDescribed, message);
    }
    assertEquals(annotations, {
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
  }
});

Deno.test("the schemas of the tools accept valid arguments and results, and reject invalid ones", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { name, inputSchema, outputSchema } of tools) {
    assertEquals([inputSchema.type, outputSchema?.type], ["object", "object"]);
    // Some clients reject an empty list.
    assert(inputSchema.required?.length !== 0);
    const isInput = ajv.compile(inputSchema);
    const isOutput = ajv.compile<unknown>(outputSchema as object);
    for (const [called, args, expected] of CALLS) {
      if (called !== name) continue;
      assert(isInput(args), `${name} ${JSON.stringify(args)}`);
      assert(!isInput({ ...args, unknown: 1 }));
      const isRequired = "input" in args;
      if (isRequired) assert(!isInput({ ...args, input: undefined }), name);
      if (!(expected instanceof RegExp)) assert(isOutput(expected));
    }
    assert(!isOutput({}));
  }
  for (
    const [name, args] of [
      ["hashText", { algorithm: "md5", input: "" }],
      ["generateUuids", { count: 101 }],
      ["generatePassword", { symbols: "no" }],
    ] as const
  ) {
    assert(!ajv.compile(findTool(name).inputSchema)(args), name);
  }
  const { outputSchema } = findTool("generateUuids");
  const isUuids = ajv.compile<unknown>(outputSchema as object);
  assert(isUuids({ uuid: "x" }) && isUuids({ uuids: ["x"] }));
  assert(!isUuids({ uuid: "x", uuids: ["x"] }));
});

Deno.test("output schemas list all members with their types in properties, for clients that ignore oneOf", () => {
  for (
    const [name, ...expected] of [
      ["convertBase64", "result: string"],
      ["hashText", "result: string", "algorithm: string"],
      ["generateUuids", "uuid: string", "uuids: array"],
      [
        "generatePassword",
        "password: string",
        "strength: string",
        "passwords: array",
      ],
      ["processJson", "result: string", "valid: boolean"],
    ] as const
  ) {
    const { properties } = findTool(name).outputSchema!;
    const members = Object.entries(
      properties as Record<string, { type: string }>,
    )
      .map(([member, { type }]) => `${member}: ${type}`);
    assertEquals(members, expected);
  }
});

Deno.test("the examples and errors of each operation are answered like that", async (t) => {
  for (const { tool, examples, errors = {} } of OPERATIONS) {
    const ask = async (sent: object) =>
      (await send(callTool(tool.name, sent))).body.result.structuredContent;
    for (const [key, { sent, result }] of Object.entries(examples)) {
      await t.step(`${tool.name}: ${key}`, async () => {
        const answer = await ask(sent);
        assertEquals(Object.keys(answer), Object.keys(result));
        // A second call gives another result if it is random.
        if (equal(answer, await ask(sent))) assertEquals(answer, result);
      });
    }
    for (const [key, { sent, message }] of Object.entries(errors)) {
      await t.step(`${tool.name}: ${key}`, async () => {
        const { body } = await send(callTool(tool.name, sent));
        assertEquals(body.result, {
          content: [{ type: "text", text: message }],
          isError: true,
        });
      });
    }
  }
});

Deno.test("every enum of the tools has strings, since Gemini refuses a list of tools with another", () => {
  const enums: unknown[] = [];
  JSON.stringify(tools, (key, value) => {
    if (key === "enum") enums.push(...value);
    return value;
  });
  assert(enums.length > 5);
  assertEquals(enums.filter((value) => typeof value !== "string"), []);
  const { indent } = findTool("processJson").inputSchema.properties!;
  assertEquals(indent, {
    type: "integer",
    minimum: 2,
    maximum: 4,
    default: 2,
    description: "For `format`: spaces for each level of nesting, 2 or 4.",
  });
});
