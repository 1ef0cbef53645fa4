import { assert, assertEquals } from "@std/assert";
import { formatHelp, formatOverview } from "../../lib/terminal/help.ts";
import { loadOperations } from "../../routes/operations.ts";
import { testOnPosix } from "../_server.ts";
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
  "the help of a command with a FILE has a loop over files that runs",
  async () => {
    const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
    for (const name of ["a b.json", "c.json"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "[1]");
    }
    for (const operation of OPERATIONS) {
      if (operation.parameters["input"] === undefined) continue;
      const [, loop] = /^Several files: (.+)$/m.exec(formatHelp(operation)) ??
        [];
      const whole = await runScript(loop ?? "", folder);
      const each = await Promise.all(
        ["a b.json", "c.json"].map((name) =>
          runScript(loop!.replace("*", `"${name}"`), folder)
        ),
      );
      const output = each.map((one) => one.output).join("");
      assertEquals(whole, { code: 0, output, log: "" });
      assert(output !== "");
    }
    await Deno.remove(folder, { recursive: true });
  },
);

testOnPosix("the help fits into 80 columns, and its example runs", async () => {
  for (const help of [OVERVIEW, ...OPERATIONS.map(formatHelp)]) {
    for (const row of help.split("\n")) assert([...row].length <= 80, row);
    const [, example] = /^Example: (.+)$/m.exec(help)!;
    const { code, log } = await runScript(example!);
    assertEquals([code, log], [0, ""], example);
  }
  const [base64] = OPERATIONS;
  for (
    const [line, help] of [
      ["-h", OVERVIEW],
      ["base64 -h", formatHelp(base64!)],
    ] as const
  ) {
    assertEquals(await runLine(line), { code: 0, output: help, log: "" });
  }
});
