/** Requirements of a definition, so that each interface can offer its operation. */

import { assert, assertEquals } from "@std/assert";
import type { Operation } from "../../lib/operation/operation.ts";
import { loadOperation, loadOperations } from "../../routes/operations.ts";

const OPERATIONS = await loadOperations();

/** Arguments and words that every command has. */
const RESERVED_OPTIONS = ["json", "help", "h"];
const RESERVED_NAMES = ["serve", "mcp", "healthz", "openapi"];

type Requirement = readonly [
  text: string,
  isMet: (operation: Operation) => boolean,
];

const REQUIREMENTS: readonly Requirement[] = [
  [
    "its name has lowercase letters and digits, and isn't the name of another command or path",
    ({ name }) =>
      /^[a-z][a-z0-9]*$/.test(name) && !RESERVED_NAMES.includes(name),
  ],
  [
    "the names of its parameters have lowercase letters, and aren't names of common options",
    ({ parameters, command }) =>
      Object.keys({ ...parameters, ...command?.options }).every((name) =>
        /^[a-z]+$/.test(name) && !RESERVED_OPTIONS.includes(name) &&
        !(name in Object.prototype)
      ),
  ],
  [
    "no option of its command has the name of a parameter",
    ({ parameters, command }) =>
      Object.keys(command?.options ?? {}).every((name) =>
        !Object.hasOwn(parameters, name)
      ),
  ],
  [
    "it has an example",
    ({ examples }) => Object.keys(examples).length > 0,
  ],
  [
    "if it is a GET, each parameter without a default is in an example",
    ({ method, parameters, examples }) =>
      method === "POST" ||
      Object.entries(parameters).every(([name, { default: value }]) =>
        value !== undefined ||
        Object.values(examples).some(({ sent }) => Object.hasOwn(sent, name))
      ),
  ],
  [
    "the description of a parameter doesn't state its default, since each interface does",
    ({ parameters }) =>
      Object.values(parameters).every((parameter) =>
        !/default/i.test(
          parameter.description + parameter.toolDescription +
            parameter.commandDescription,
        )
      ),
  ],
  [
    "each of its alternative results has a property that no other has, and shared properties have one schema",
    ({ results }) => {
      const alternatives = Object.values(results);
      return alternatives.every((own) => {
        const others = alternatives.filter((other) => other !== own);
        return (others.length === 0 ||
          Object.keys(own).some((name) =>
            others.every((other) => !Object.hasOwn(other, name))
          )) &&
          Object.entries(own).every(([name, schema]) =>
            others.every((other) =>
              !Object.hasOwn(other, name) || other[name] === schema
            )
          );
      });
    },
  ],
];

for (const [text, isMet] of REQUIREMENTS) {
  Deno.test(`each operation: ${text}`, () => {
    const invalid = OPERATIONS.filter((operation) => !isMet(operation));
    assertEquals(invalid.map(({ name }) => name), []);
  });
}

Deno.test("each operation is listed under its name", async () => {
  for (const operation of OPERATIONS) {
    const { name } = operation;
    assert(
      await loadOperation(name) === operation,
      `${name} must be the name of its line in routes/operations.ts`,
    );
  }
  assertEquals(await loadOperation("constructor"), undefined);
});

Deno.test("no two operations have a schema or a tool of the same name", () => {
  const schemas = OPERATIONS.flatMap(({ results, schemas }) =>
    Object.keys({ ...results, ...schemas })
  );
  assertEquals(schemas.length, new Set(schemas).size);
  const tools = OPERATIONS.map(({ tool }) => tool.name);
  assertEquals(tools.length, new Set(tools).size);
});
