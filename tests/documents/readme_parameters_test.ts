/** The README's section on each operation that it describes, compared with the definition. */

import { assert } from "@std/assert";
import { loadOperations } from "../../routes/operations.ts";

const README = await Deno.readTextFile("README.md");

Deno.test("the README's sections have the parameters of their operations, with bounds, choices and defaults", async (t) => {
  const operations = await loadOperations();
  const sections = [
    ...README.matchAll(/^## .+: `(GET|POST) \/api\/(\w+)`\n([^]+?)(?=^## )/gm),
  ];
  assert(sections.length >= 5);
  for (const [, method, name, section] of sections) {
    const operation = operations.find((each) => each.name === name)!;
    assert(operation.method === method);
    for (
      const [parameter, { schema, default: value }] of Object.entries(
        operation.parameters,
      )
    ) {
      await t.step(`${name}: ${parameter}`, () => {
        const { minimum, maximum, enum: choices = [] } = schema;
        const text = section!.split("\n")
          .find((line) => line.includes(`\`${parameter}\``));
        assert(text !== undefined);
        if (minimum !== undefined) {
          assert(text.includes(`${minimum} to ${maximum}`), text);
        }
        for (const choice of choices) assert(text.includes(`${choice}`), text);
        if (value !== undefined) assert(text.includes(`${value}`), text);
      });
    }
  }
});
