import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv";
import description from "../../routes/openapi.json" with { type: "json" };
import { CALLS, connect } from "./_client.ts";

Deno.test("tools are the operations of openapi.json, with advice for models", async () => {
  const client = await connect("legacy");
  const { tools } = await client.listTools();
  const operations = Object.entries(description.paths)
    .filter(([path]) => path.startsWith("/api/"))
    .flatMap(([_path, methods]) => Object.values(methods));
  assertEquals(
    tools.map(({ name, title }) => [name, title]),
    operations.map(({ operationId, summary }) => [operationId, summary]),
  );
  for (const [i, { description, annotations }] of tools.entries()) {
    const operation = operations[i]!;
    assert(description!.startsWith(`${operation.summary}. Use it `));
    assert(description!.includes(": never "));
    assert(description!.endsWith(operation.description));
    const isRandom = ["generateUuids", "generatePassword"].includes(
      operation.operationId,
    );
    assertEquals(annotations, {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: !isRandom,
      openWorldHint: false,
    });
  }
  await client.close();
});

Deno.test("the schemas of the tools stand alone, and take what the endpoints take", async () => {
  const client = await connect({ pin: "2026-07-28" });
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { name, inputSchema, outputSchema } of tools) {
    assert(!JSON.stringify([inputSchema, outputSchema]).includes("$ref"));
    assertEquals([inputSchema.type, outputSchema?.type], ["object", "object"]);
    const isInput = ajv.compile(inputSchema);
    const isOutput = ajv.compile<unknown>(outputSchema as object);
    for (const [called, args, expected] of CALLS) {
      if (called !== name) continue;
      assert(isInput(args), `${name} ${JSON.stringify(args)}`);
      if (!(expected instanceof RegExp)) assert(isOutput(expected));
    }
    assert(!isOutput({}));
  }
  const [, , uuid, password] = tools;
  assert(!ajv.compile(uuid!.inputSchema)({ count: 101 }));
  assert(!ajv.compile(password!.inputSchema)({ symbols: "no" }));
  await client.close();
});
