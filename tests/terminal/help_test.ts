import { assert, assertEquals } from "@std/assert";
import { formatHelp, formatOverview } from "../../lib/terminal/help.ts";
import { loadOperations } from "../../routes/operations.ts";
import { createFolder, testOnPosix } from "../_server.ts";
import { runLine, runScript } from "./_terminal.ts";

const OPERATIONS = await loadOperations();
const OVERVIEW = formatOverview(OPERATIONS);

Deno.test("the help of each operation has its parameters with their bounds and defaults", async (t) => {
  for (const operation of OPERATIONS) {
    await t.step(operation.name, () => {
      assert(OVERVIEW.includes(`\n  ${operation.name} `));
      const help = formatHelp(operation);
      const words = [...help.matchAll(/^ {2}(?:--(?:\[no-\])?)?(\w+)/gm)]
        .map(([, word]) => word!.toLowerCase());
      for (const [name, parameter] of Object.entries(operation.parameters)) {
        const { schema: { minimum, maximum }, default: value } = parameter;
        assert(words.includes(name === "input" ? "file" : name), name);
        const bounds = `${minimum} to ${maximum}`;
        if (maximum !== undefined) assert(help.includes(bounds), name);
        if (value !== undefined) {
          const text = help.replace(/\n +/g, " ");
          assert(text.includes(`default ${value})`), name);
        }
      }
    });
  }
});

testOnPosix(
  "the help fits into 80 columns, and its examples and loops over files succeed",
  async () => {
    await using folder = await createFolder();
    const names = ["a b.json", "c.json"];
    for (const name of names) {
      await Deno.writeTextFile(`${folder.path}/${name}`, "[1]");
    }
    let loops = 0;
    for (const help of [OVERVIEW, ...OPERATIONS.map(formatHelp)]) {
      for (const row of help.split("\n")) assert([...row].length <= 80, row);
      const [, example] = /^Example: (.+)$/m.exec(help)!;
      const { code, log } = await runScript(example!);
      assertEquals([code, log], [0, ""], example);

      const [, loop] = /^Several files: (.+)$/m.exec(help) ?? [];
      if (loop === undefined) continue;
      loops += 1;
      const all = await runScript(loop, folder.path);
      const outputs = await Promise.all(names.map(async (name) => {
        const one = loop.replace("*", `"${name}"`);
        return (await runScript(one, folder.path)).output;
      }));
      assertEquals(all, { code: 0, output: outputs.join(""), log: "" });
      assert(outputs.every((output) => output !== ""), loop);
    }
    assertEquals(loops, 3);
  },
);

Deno.test("-h prints the help of the program, and after a command its help", async () => {
  for (
    const [line, output] of [
      ["-h", OVERVIEW],
      ["base64 -h", formatHelp(OPERATIONS[0]!)],
    ] as const
  ) {
    assertEquals(await runLine(line), { code: 0, output, log: "" });
  }
});
