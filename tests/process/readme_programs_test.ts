/** The README's curl examples, and its comparison with other programs. */

import { assert, assertEquals } from "@std/assert";
import { hideRandom } from "../_examples.ts";
import { readCommand, readVersion, run, startServer } from "../_server.ts";

const README = await Deno.readTextFile("README.md");

const hasCurl = Deno.build.os !== "windows" &&
  await readVersion("curl") !== "";

Deno.test({
  name:
    "the README's curl examples return what it shows (needs POSIX and curl)",
  ignore: !hasCurl,
  async fn(t) {
    await using server = await startServer();
    const examples = [...README.matchAll(/^\$ (curl .+)\n(.+)$/gm)];
    assert(examples.length >= 5, "too few examples were found");
    for (const [, command, shown] of examples) {
      await t.step(command!, async () => {
        const local = command!.replace("http://localhost:8000", server.origin);
        const { output } = await run(["sh", "-c", local]);
        assertEquals(hideRandom(output), hideRandom(`${shown}\n`));
      });
    }
  },
});

/** A program of the comparison: the command that minifies standard input. */
interface Program {
  readonly command: readonly string[];
  /** What the program prints for `--version`. */
  readonly version: RegExp;
}

const NODE = `
const text = require("node:fs").readFileSync(0, "utf8");
console.log(JSON.stringify(JSON.parse(text)));`;

/** The programs of the comparison, by the name and version that the README gives. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  "Node 20": { command: ["node", "-e", NODE], version: /^v20\./ },
  "jq 1.6": { command: ["jq", "-c", "."], version: /^jq-1\.6$/m },
  "Python 3.11": {
    command: ["python3", "-m", "json.tool", "--compact"],
    version: /^Python 3\.11\./,
  },
  "Developer Utilities": {
    command: [
      Deno.execPath(),
      ...readCommand("mcp").slice(1, -1),
      "json",
      "minify",
    ],
    version: /^deno /,
  },
};

Deno.test("the README's comparison shows what each program prints, if that version is installed", async (t) => {
  const [, document] = /minifying\s+`(.+)`\s+gives/.exec(README)!;
  const rows = [...README.matchAll(/^\| (.+?) +\| `(\{.+?)`/gm)];
  assertEquals(rows.length, Object.keys(PROGRAMS).length);
  for (const [, label, shown] of rows) {
    const [, name = label!] = /\(([^()]+ [\d.]+)\)$/.exec(label!) ?? [];
    const { command, version } = PROGRAMS[name]!;
    await t.step({
      name: `${label} (needs ${name})`,
      ignore: !version.test(await readVersion(command[0]!)),
      async fn() {
        const { output } = await run(command, { input: document! });
        assertEquals(output, `${shown}\n`);
      },
    });
  }
});
