/** The commands and their help are those of openapi.json. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
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
  const name = body.$ref?.split("/").at(-1);
  const schema = name
    ? (description.components.schemas as Document)[name]
    : body;
  return Object.entries(schema.properties);
}

async function readHelp(line: string): Promise<string> {
  const { code, output, log } = await runLine(line);
  assertEquals([code, log], [0, ""], line);
  return output;
}

Deno.test("each operation of openapi.json is a command, and each of its fields a word, an option or standard input", async (t) => {
  const overview = await readHelp("--help");
  assertEquals(await readHelp("-h"), overview);
  const names = [...overview.matchAll(/^ {2}(\w[\w-]*) /gm)].map(([, name]) =>
    name
  );
  assertEquals(names, [...OPERATIONS.map(([name]) => name), "serve", "mcp"]);
  for (const [name, operation] of OPERATIONS) {
    await t.step(name, async () => {
      const help = await readHelp(`${name} --help`);
      const words = [...help.matchAll(/^ {2}(?:--(?:\[no-\])?)?(\w[\w-]*)/gm)]
        .map(([, word]) => word!.replaceAll("-", "").toLowerCase());
      const fields = readFields(operation).map(([field]) =>
        field.toLowerCase()
      );
      const own = words.filter((word) => !fields.includes(word));
      assertEquals(words.toSorted(), [...fields, ...own].toSorted());
      assertEquals(
        own,
        help.includes("--check") ? ["check", "json"] : ["json"],
      );
      for (
        const [, { minimum, maximum, default: value }] of readFields(operation)
      ) {
        if (maximum) assertStringIncludes(help, `(${minimum} to ${maximum}`);
        if (value !== undefined) {
          assertStringIncludes(help, `default ${value})`);
        }
      }
    });
  }
});

testOnPosix(
  "the help at every level has at most 80 columns and an example that runs",
  async () => {
    const lines = [
      "--help",
      ...OPERATIONS.map(([name]) => `${name} --help`),
      "serve --help",
      "mcp --help",
      "base64 encode -h",
    ];
    for (const line of lines) {
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

Deno.test("the help says what memory limits", async () => {
  for (const name of ["base64", "json"]) {
    assertStringIncludes(await readHelp(`${name} --help`), "250 MB at most");
  }
  assertStringIncludes(await readHelp("hash --help"), "any amount");
});
