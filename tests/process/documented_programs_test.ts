/** Runs the calls of /docs, and the programs of the README and `docs/examples/`. */

import { assert, assertEquals } from "@std/assert";
import { readCalls } from "../_docs.ts";
import { hideRandom } from "../_examples.ts";
import { readCommand, readVersion, run, startServer } from "../_server.ts";
import { fetchWithin } from "../_within.ts";

const README = await Deno.readTextFile("README.md");

/** Registers a test that runs commands in a shell. */
async function testCurl(
  name: string,
  fn: (
    origin: string,
    check: (command: string, output: string) => Promise<boolean>,
  ) => Promise<void>,
): Promise<void> {
  Deno.test({
    name: `${name} (needs POSIX and curl)`,
    ignore: Deno.build.os === "windows" || await readVersion("curl") === "",
    async fn(t) {
      await using server = await startServer();
      await fn(
        server.origin,
        (command, expected) =>
          t.step(command, async () => {
            const { output } = await run(["sh", "-c", command]);
            assertEquals(hideRandom(output), hideRandom(expected));
          }),
      );
    },
  });
}

await testCurl(
  "every call of /docs, pasted into a shell, gets the status and response shown",
  async (origin, check) => {
    const page = await fetchWithin(`${origin}/docs`);
    const calls = readCalls(await page.text());
    assert(calls.length >= 20, "too few calls were found");
    for (const { command, status, response } of calls) {
      const measured = `${command} --silent --write-out '%{http_code}' 2>&1`;
      await check(measured, `${response}\n${status}`);
    }
  },
);

await testCurl(
  "the README's curl examples return the output shown",
  async (origin, check) => {
    const examples = [...README.matchAll(/^\$ (curl .+)\n(.+)$/gm)];
    assert(examples.length >= 5, "too few examples were found");
    for (const [, command, shown] of examples) {
      const local = command!.replace("http://localhost:8000", origin);
      await check(local, `${shown}\n`);
    }
  },
);

const EXAMPLES = "docs/examples";
const DIGEST = "a9993e364706816aba3e25717850c26c9cd0d89d\n";

/** The command that runs a file, by its extension. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  go: ["go", "run"],
  java: ["java"],
  js: [Deno.execPath(), "run", "--no-prompt", "--allow-net"],
  php: ["php"],
  pl: ["perl"],
  ps1: ["pwsh"],
  py: ["python3"],
  rb: ["ruby"],
};

Deno.test("the programs of docs/examples/ print the digest", async (t) => {
  await using server = await startServer();
  const folder = "tests/.generated/examples";
  await Deno.mkdir(folder, { recursive: true });
  for await (const { name } of Deno.readDir(EXAMPLES)) {
    const command = COMMANDS[name.replace(/^.*\./, "")]!;
    const option = command[0] === "go" ? "version" : "--version";
    await t.step({
      name: `${name} (needs ${command[0]})`,
      ignore: await readVersion(command[0]!, option) === "",
      async fn() {
        const program = await Deno.readTextFile(`${EXAMPLES}/${name}`);
        const local = program.replace("http://localhost:8000", server.origin);
        await Deno.writeTextFile(`${folder}/${name}`, local);
        const { output, log } = await run([...command, `${folder}/${name}`]);
        assertEquals([output, log], [DIGEST, ""]);
      },
    });
  }
});

const NODE = `
const text = require("node:fs").readFileSync(0, "utf8");
console.log(JSON.stringify(JSON.parse(text)));`;

const DEVUTILS = [Deno.execPath(), ...readCommand("mcp").slice(1, -1)];

/**
 * The programs of the comparison, by the name and version in the README: the output of
 * `--version`, and the command that minifies standard input.
 */
const PROGRAMS: Readonly<Record<string, readonly [RegExp, string[]]>> = {
  "Node 20": [/^v20\./, ["node", "-e", NODE]],
  "jq 1.6": [/^jq-1\.6$/m, ["jq", "-c", "."]],
  "Python 3.11": [
    /^Python 3\.11\./,
    ["python3", "-m", "json.tool", "--compact"],
  ],
  "Developer Utilities": [/^deno /, [...DEVUTILS, "json", "minify"]],
};

Deno.test("the README's comparison shows the output of each program, if that version is installed", async (t) => {
  const [, document] = /minifying\s+`(.+)`\s+gives/.exec(README)!;
  const rows = [...README.matchAll(/^\| (.+?) +\| `(\{.+?)`/gm)];
  assertEquals(rows.length, Object.keys(PROGRAMS).length);
  for (const [, label, shown] of rows) {
    const [, name = label!] = /\(([^()]+ [\d.]+)\)$/.exec(label!) ?? [];
    const [version, command] = PROGRAMS[name]!;
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
