/** Runs the programs of `docs/clients.md`, in each language that is installed. */

import { assertEquals } from "@std/assert";
import { run, startServer } from "../_server.ts";

const PAGE = await Deno.readTextFile("docs/clients.md");
const DIGEST = "a9993e364706816aba3e25717850c26c9cd0d89d\n";

/** The commands that run a file of a language. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  sh: ["sh"],
  python: ["python3"],
  js: [Deno.execPath(), "run", "--no-prompt", "--allow-net"],
  java: ["java"],
  go: ["go", "run"],
  php: ["php"],
  ruby: ["ruby"],
  perl: ["perl"],
};

/** Whether a command is installed; of a script, the command in its first line. */
async function isInstalled(
  language: string,
  program: string,
): Promise<boolean> {
  if (Deno.build.os === "windows") return language === "js";
  const command = language === "sh"
    ? program.split(" ")[0]!
    : COMMANDS[language]![0]!;
  const { code } = await run(["sh", "-c", `command -v ${command}`]);
  return code === 0;
}

const programs = [...PAGE.matchAll(/^```(\w+)\n([^]+?)^```$/gm)]
  .map(([, language, program]) => [language!, program!] as const);

Deno.test("docs/clients.md has a program in each language", () => {
  assertEquals(
    [...new Set(programs.map(([language]) => language))].toSorted(),
    Object.keys(COMMANDS).toSorted(),
  );
});

Deno.test("the programs of docs/clients.md print the digest", async (t) => {
  await using server = await startServer();
  for (const [index, [language, program]] of programs.entries()) {
    await t.step({
      name: `program ${index} (needs ${language} and POSIX)`,
      ignore: !await isInstalled(language, program),
      async fn() {
        // Java names a class by its file.
        const folder = `tests/.generated/client${index}`;
        await Deno.mkdir(folder, { recursive: true });
        const path = `${folder}/Hash.${language}`;
        await Deno.writeTextFile(
          path,
          program.replace("http://localhost:8000", server.origin),
        );
        const { output, log } = await run([...COMMANDS[language]!, path]);
        assertEquals([output, log], [DIGEST, ""]);
      },
    });
  }
});
