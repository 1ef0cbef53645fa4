import { assert, assertEquals } from "@std/assert";
import { COMMANDS } from "../../lib/terminal/commands.ts";
import { HELP, OVERVIEW } from "../../lib/terminal/help.ts";
import description from "../../routes/openapi.json" with { type: "json" };
import { testOnPosix } from "../_server.ts";
import { runLine, runScript } from "./_terminal.ts";

/** A JSON document of any shape. */
type Document = ReturnType<typeof JSON.parse>;

/** Returns the fields or parameters of an operation, with their schemas. */
function readFields({ requestBody, parameters = [] }: Document) {
  const body = requestBody?.content["application/json"].schema;
  if (!body) {
    return parameters.map(({ name, schema }: Document) => [name, schema]);
  }
  const schemas: Document = description.components.schemas;
  return Object.entries(schemas[body.$ref.split("/").at(-1)].properties);
}

Deno.test("each operation is a command, whose help has its fields with their bounds and defaults", async (t) => {
  const paths = Object.entries<Document>(description.paths)
    .filter(([path]) => path.startsWith("/api/"));
  assertEquals(
    paths.map(([path]) => path.slice("/api/".length)),
    [...COMMANDS.keys()],
  );
  assertEquals(Object.keys(HELP), [...COMMANDS.keys()]);
  for (const [path, methods] of paths) {
    await t.step(path, () => {
      const help = HELP[path.slice("/api/".length)]!;
      const words = [...help.matchAll(/^ {2}(?:--(?:\[no-\])?)?(\w+)/gm)]
        .map(([, word]) => word!.toLowerCase());
      const fields = readFields(Object.values(methods)[0]);
      for (const [name, { minimum, maximum, default: value }] of fields) {
        assert(words.includes(name), name);
        if (maximum) assert(help.includes(`(${minimum} to ${maximum}`));
        if (value !== undefined) assert(help.includes(`default ${value})`));
      }
    });
  }
});

testOnPosix("the help fits into 80 columns, and its example runs", async () => {
  for (const help of [OVERVIEW, ...Object.values(HELP)]) {
    for (const row of help.split("\n")) assert([...row].length <= 80, row);
    const [, example] = /^Example: (.+)$/m.exec(help)!;
    const { code, log } = await runScript(example!);
    assertEquals([code, log], [0, ""], example);
  }
  for (const [line, help] of [["-h", OVERVIEW], ["uuid -h", HELP["uuid"]!]]) {
    const { code, output } = await runLine(line!);
    assertEquals([code, output.startsWith(help!)], [0, true]);
  }
});
