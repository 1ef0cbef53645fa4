/** The list of tools, which clients pass to their model. */

import { assert, assertEquals } from "@std/assert";
import type { ListToolsResult } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv";
import description from "../../routes/openapi.json" with { type: "json" };
import { CALLS, send } from "./_client.ts";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const { tools }: ListToolsResult = (await send(list)).body.result;

Deno.test("the tools are the operations of openapi.json, with descriptions for models", () => {
  const operations = Object.entries(description.paths)
    .filter(([path]) => path.startsWith("/api/"))
    .flatMap(([_path, methods]) => Object.values(methods));
  assertEquals(
    tools.map(({ name, title }) => [name, title]),
    operations.map(({ operationId, summary }) => [operationId, summary]),
  );
  for (const { name, description, annotations, inputSchema } of tools) {
    assert(/ Use it /.test(description!), name);
    const properties = inputSchema.properties as Record<string, object>;
    for (const [argument, schema] of Object.entries(properties)) {
      const isDescribed = "description" in schema || "enum" in schema;
      assert(isDescribed, `${name}.${argument}`);
    }
    const isRandom = ["generateUuids", "generatePassword"].includes(name);
    assertEquals(annotations, {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: !isRandom,
      openWorldHint: false,
    });
  }
});

Deno.test("the list of tools takes less than 5,000 characters", () => {
  const { length } = JSON.stringify(tools);
  assert(length < 5_000, `${length} characters`);
});

Deno.test("no tool mentions HTTP, status codes, query strings or md5", () => {
  const words =
    /HTTP|md5|x-tool|\$ref|answer|query|`on`|\b(?:[245]0[0-3]|413)\b/;
  for (const tool of tools) {
    assertEquals(words.exec(JSON.stringify(tool))?.[0], undefined, tool.name);
  }
});

Deno.test("the schemas of the tools accept valid arguments and results, and reject invalid ones", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { name, inputSchema, outputSchema } of tools) {
    assertEquals([inputSchema.type, outputSchema?.type], ["object", "object"]);
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
  const [, hash, uuid, password] = tools;
  assert(!ajv.compile(hash!.inputSchema)({ algorithm: "md5", input: "" }));
  assert(!ajv.compile(uuid!.inputSchema)({ count: 101 }));
  assert(!ajv.compile(password!.inputSchema)({ symbols: "no" }));
  const isUuids = ajv.compile<unknown>(uuid!.outputSchema as object);
  assert(isUuids({ uuid: "x" }) && isUuids({ uuids: ["x"] }));
  assert(!isUuids({ uuid: "x", uuids: ["x"] }));
});

Deno.test("output schemas list all members with their types in properties, for clients that ignore oneOf", () => {
  const members = tools.map(({ outputSchema }) =>
    Object.entries(outputSchema!.properties as Record<string, { type: string }>)
      .map(([member, { type }]) => `${member}: ${type}`)
  );
  assertEquals(members, [
    ["result: string"],
    ["result: string", "algorithm: string"],
    ["uuid: string", "uuids: array"],
    ["password: string", "strength: string"],
    ["result: string", "valid: boolean"],
  ]);
});
