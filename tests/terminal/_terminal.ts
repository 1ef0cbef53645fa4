/** Runs the program as a process with pipes, or on a terminal. */

import { readCommand, readVersion, run } from "../_server.ts";

/** The program, which needs no permission for standard input. */
export const PROGRAM = [Deno.execPath(), ...readCommand("mcp").slice(1, -1)];

/** Runs a command line, whose words have no spaces, with an input. */
export function runLine(line: string, input: BlobPart = "") {
  return run([...PROGRAM, ...line.split(" ")], { input });
}

/** The program as a shell calls it, in any folder. It may read files. */
const LINE = PROGRAM
  .flatMap((word) => word === "main.ts" ? ["--allow-read", word] : [word])
  .map((word) => word.replace(/\bmain\.ts$|\bdeno\.lock$/, Deno.realPathSync))
  .map((word) => `'${word}'`)
  .join(" ");

/** Runs a script of a shell, in which `devutils` is the program, in a folder. */
export function runScript(script: string, cwd = ".") {
  const line = `devutils() { ${LINE} "$@"; }\n${script}`;
  return run(["bash", "-c", line], { cwd });
}

const hasScript = (await readVersion("script")).includes("util-linux");

/** Runs a script of a shell on a terminal, and returns the lines of the terminal. */
async function runOnTerminal(script: string, input = ""): Promise<string[]> {
  const command = `devutils() { ${LINE} "$@"; }; ${script}`;
  const { output } = await run(
    ["script", "--quiet", "--command", command, "/dev/null"],
    { input },
  );
  return output.replace("^D\b\b", "").split("\r\n");
}

/** Registers a test that needs a terminal. */
export function testOnTerminal(
  name: string,
  fn: (run: typeof runOnTerminal) => Promise<void>,
): void {
  Deno.test({
    name: `${name} (needs util-linux)`,
    ignore: !hasScript,
    fn: () => fn(runOnTerminal),
  });
}
