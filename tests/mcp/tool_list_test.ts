/** The list of tools, which clients pass to their model. */

import { assert, assertEquals } from "@std/assert";
import type { ListToolsResult } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv";
import { Ajv2019 } from "ajv/2019.js";
import { Ajv } from "ajv/ajv.js";
import { loadOperations } from "../../routes/operations.ts";
import { CALLS, send } from "./_agent.ts";

const OPERATIONS = await loadOperations();

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const { tools }: ListToolsResult = (await send(list)).body.result;

/** Returns an existing tool. */
function findTool(name: string): ListToolsResult["tools"][number] {
  return tools.find((tool) => tool.name === name)!;
}

Deno.test("the tools are the operations, with descriptions for models and defaults", () => {
  assertEquals(
    tools.map(({ name, title }) => [name, title]),
    OPERATIONS.map(({ tool, summary }) => [tool.name, summary]),
  );
  for (const { tool, parameters } of OPERATIONS) {
    const { annotations, inputSchema } = findTool(tool.name);
    for (const [name, { default: value }] of Object.entries(parameters)) {
      const schema = inputSchema.properties![name] as Record<string, unknown>;
      assert("description" in schema || "enum" in schema, name);
      assertEquals(schema["default"], value, name);
    }
    assertEquals(annotations, {
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
  }
});

Deno.test("the list of tools is short, because clients send it to the model with each request", () => {
  const { length } = JSON.stringify(tools);
  const limit = 1_160 * tools.length;
  assert(length <= limit, `${length} of ${limit} characters`);
});

Deno.test("strict validators of every draft accept the schemas of the tools", () => {
  for (const Validator of [Ajv, Ajv2019, Ajv2020]) {
    const ajv = new Validator({ strict: true });
    for (const { inputSchema, outputSchema } of tools) {
      ajv.compile(inputSchema);
      ajv.compile(outputSchema as object);
    }
  }
});

Deno.test("the schemas of the tools accept valid arguments and results, and reject invalid ones", () => {
  const ajv = new Ajv2020({ strict: true });
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
  const invalid = {
    hashText: { algorithm: "md5", input: "" },
    generateUuids: { count: 101 },
    generatePassword: { symbols: "no" },
  };
  for (const [name, args] of Object.entries(invalid)) {
    assert(!ajv.compile(findTool(name).inputSchema)(args), name);
  }
  const { outputSchema } = findTool("generateUuids");
  const isUuids = ajv.compile<unknown>(outputSchema as object);
  const uuid = "d2b1f0de-6f3b-4a57-8a51-0f3c9c6f7e02";
  assert(isUuids({ uuid }) && isUuids({ uuids: [uuid] }));
  assert(!isUuids({ uuid, uuids: [uuid] }) && !isUuids({ uuid: "x" }));
});

Deno.test("output schemas list all properties with their types, for clients that ignore oneOf", () => {
  for (const { tool, results } of OPERATIONS) {
    const properties = findTool(tool.name).outputSchema!.properties as Record<
      string,
      { readonly type: string }
    >;
    for (
      const [name, { type }] of Object.values(results).flatMap(Object.entries)
    ) {
      assertEquals(properties[name]!.type, type, name);
    }
  }
});

Deno.test("every enum of the tools contains only strings, because Gemini rejects other values", () => {
  const enums: unknown[] = [];
  JSON.stringify(tools, (key, value) => {
    if (key === "enum") enums.push(...value);
    return value;
  });
  assert(enums.length > 5);
  assertEquals(enums.filter((value) => typeof value !== "string"), []);
});
