/** Runs the programs of `docs/examples/` in each language that is installed. */

import { assertEquals } from "@std/assert";
import { run, startServer } from "../_server.ts";

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

async function isInstalled(command: string): Promise<boolean> {
  if (Deno.build.os === "windows") return command === Deno.execPath();
  const { code } = await run(["sh", "-c", `command -v ${command}`]);
  return code === 0;
}

Deno.test("the programs of docs/examples/ print the digest", async (t) => {
  await using server = await startServer();
  const folder = "tests/.generated/examples";
  await Deno.mkdir(folder, { recursive: true });
  for await (const { name } of Deno.readDir(EXAMPLES)) {
    const command = COMMANDS[name.replace(/^.*\./, "")]!;
    await t.step({
      name: `${name} (needs ${command[0]} and POSIX)`,
      ignore: !await isInstalled(command[0]!),
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
