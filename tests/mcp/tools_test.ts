/** The list of tools, which clients pass to their model. */

import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv";
import description from "../../routes/openapi.json" with { type: "json" };
import { CALLS, connect } from "./_client.ts";

const client = await connect("legacy");
const { tools } = await client.listTools();
await client.close();

Deno.test("the tools are the operations of openapi.json, with descriptions for models", () => {
  const operations = Object.entries(description.paths)
    .filter(([path]) => path.startsWith("/api/"))
    .flatMap(([_path, methods]) => Object.values(methods));
  assertEquals(
    tools.map(({ name, title }) => [name, title]),
    operations.map(({ operationId, summary }) => [operationId, summary]),
  );
  for (const { name, description, annotations } of tools) {
    assert(/ Use it /.test(description!), name);
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
  for (const tool of tools) {
    const text = JSON.stringify(tool);
    for (
      const word of ["HTTP", "md5", "x-tool", "$ref", "answer", "query", "`on`"]
    ) {
      assert(!text.includes(word), `${tool.name}: ${word}`);
    }
    assert(!/\b(?:200|400|413|501|503)\b/.test(text), tool.name);
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
  const members = tools.map(({ name, outputSchema }) => {
    const properties = outputSchema!.properties as Record<
      string,
      { type: string }
    >;
    return [
      name,
      Object.entries(properties).map(([member, { type }]) =>
        `${member}: ${type}`
      ),
    ];
  });
  assertEquals(members, [
    ["convertBase64", ["result: string"]],
    ["hashText", ["result: string", "algorithm: string"]],
    ["generateUuids", ["uuid: string", "uuids: array"]],
    ["generatePassword", ["password: string", "strength: string"]],
    ["processJson", ["result: string", "valid: boolean"]],
  ]);
});
