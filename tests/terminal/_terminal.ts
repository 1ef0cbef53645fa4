/** Runs the program as people do in a terminal: as a process with pipes. */

import { readCommand, run } from "../_server.ts";

/** The program, which needs no permission for standard input. */
export const PROGRAM = [Deno.execPath(), ...readCommand("mcp").slice(1, -1)];

/** Runs a command line, whose words have no spaces, with an input. */
export function runLine(line: string, input: BlobPart = "") {
  return run([...PROGRAM, ...line.split(" ")], { input });
}

/** The program as a shell calls it, in any folder. It may read files. */
export const LINE = PROGRAM
  .flatMap((word) => word === "main.ts" ? ["--allow-read", word] : [word])
  .map((word) => word.replace(/\bmain\.ts$|\bdeno\.lock$/, Deno.realPathSync))
  .map((word) => `'${word}'`)
  .join(" ");

/** Runs a script of a shell, in which `devutils` is the program, in a folder. */
export function runScript(script: string, cwd = ".") {
  const line = `devutils() { ${LINE} "$@"; }\n${script}`;
  return run(["bash", "-c", line], { cwd });
}
