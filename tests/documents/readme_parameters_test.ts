/** The README's statements on each operation, beside its definition. */

import { assert } from "@std/assert";
import { loadOperations } from "../../routes/operations.ts";

const README = await Deno.readTextFile("README.md");

Deno.test("the README has the parameters of each operation, with their bounds, choices and defaults", async (t) => {
  for (const { method, name, parameters } of await loadOperations()) {
    const heading = `\`${method} /api/${name}\`\n`;
    const start = README.indexOf(heading);
    assert(start > 0, heading);
    const section = README.slice(start, README.indexOf("\n## ", start));
    for (
      const [parameter, { schema, default: value }] of Object.entries(
        parameters,
      )
    ) {
      await t.step(`${name}: ${parameter}`, () => {
        const { minimum, maximum, enum: choices = [] } = schema;
        const text = section.split("\n")
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
