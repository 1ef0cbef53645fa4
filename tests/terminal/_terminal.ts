/** Runs the program as a process with pipes, or on a terminal. */

import { readCommand, readVersion, run } from "../_server.ts";

/** The program, which needs no permission for standard input. */
export const PROGRAM = [Deno.execPath(), ...readCommand("mcp").slice(1, -1)];

/** Runs a command line, whose words have no spaces, with an input. */
export function runLine(line: string, input: BlobPart = "") {
  return run([...PROGRAM, ...line.split(" ")], { input });
}

/** Defines the program, with permission to read files, as a shell function for any folder. */
const DEVUTILS = `devutils() { ${
  PROGRAM
    .flatMap((word) => word === "main.ts" ? ["--allow-read", word] : [word])
    .map((word) => word.replace(/\bmain\.ts$|\bdeno\.lock$/, Deno.realPathSync))
    .map((word) => `'${word}'`)
    .join(" ")
} "$@"; }\n`;

/** Runs a shell script in a folder. It can call the program as `devutils`. */
export function runScript(script: string, cwd = ".") {
  return run(["bash", "-c", DEVUTILS + script], { cwd });
}

const hasScript = (await readVersion("script")).includes("util-linux");

/** Runs a shell script on a terminal, and returns the lines of the terminal. */
async function runOnTerminal(script: string, input = ""): Promise<string[]> {
  const { output } = await run(
    ["script", "--quiet", "--command", DEVUTILS + script, "/dev/null"],
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
