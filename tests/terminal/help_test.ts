/** The help of the commands names the fields, bounds and defaults of openapi.json. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import description from "../../routes/openapi.json" with { type: "json" };
import { testOnPosix } from "../_server.ts";
import { runLine, runScript } from "./_terminal.ts";

// deno-lint-ignore no-explicit-any -- a JSON document
type Document = any;

/** The described operations: the name of each command, and its description. */
const OPERATIONS = Object.entries<Document>(description.paths)
  .filter(([path]) => path.startsWith("/api/"))
  .flatMap(([path, methods]) =>
    Object.values<Document>(methods).map((operation) =>
      [path.split("/").at(-1)!, operation] as const
    )
  );

/** Returns the names and schemas of the fields or parameters of an operation. */
function readFields(
  { requestBody, parameters = [] }: Document,
): readonly (readonly [string, Document])[] {
  const body = requestBody?.content["application/json"].schema;
  if (!body) {
    return parameters.map(({ name, schema }: Document) => [name, schema]);
  }
  const schemas: Document = description.components.schemas;
  return Object.entries(schemas[body.$ref.split("/").at(-1)].properties);
}

async function readHelp(line: string): Promise<string> {
  const { code, output, log } = await runLine(line);
  assertEquals([code, log], [0, ""], line);
  return output;
}

Deno.test("each operation of openapi.json is a command, and each of its fields a word, an option or standard input", async (t) => {
  const overview = await readHelp("--help");
  assertEquals(await readHelp("-h"), overview);
  const names = [...overview.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
  assertEquals(names, [...OPERATIONS.map(([name]) => name), "serve", "mcp"]);
  for (const [name, operation] of OPERATIONS) {
    await t.step(name, async () => {
      const help = await readHelp(`${name} --help`);
      const own = name === "hash" ? ["check", "json"] : ["json"];
      const fields = readFields(operation);
      assertEquals(
        [...help.matchAll(/^ {2}(?:--(?:\[no-\])?)?(\w+)/gm)]
          .map(([, word]) => word!.toLowerCase()).toSorted(),
        [...fields.map(([field]) => field), ...own].toSorted(),
      );
      for (const [, { minimum, maximum, default: value }] of fields) {
        if (maximum) assert(help.includes(`(${minimum} to ${maximum}`));
        if (value !== undefined) assert(help.includes(`default ${value})`));
      }
    });
  }
});

testOnPosix(
  "the help at every level has at most 80 columns and an example that runs",
  async () => {
    const names = OPERATIONS.map(([name]) => `${name} --help`);
    for (const line of ["--help", ...names, "serve --help", "mcp --help"]) {
      const help = await readHelp(line);
      for (const row of help.split("\n")) {
        assert([...row].length <= 80, `more than 80 characters: ${row}`);
      }
      const [, example] = /^Example: (.+)$/m.exec(help)!;
      if (example!.includes("serve")) continue;
      const { code, output, log } = await runScript(example!);
      assertEquals([code, log], [0, ""], example);
      assertMatch(output, /\n$/);
    }
  },
);
