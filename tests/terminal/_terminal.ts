/** Runs the program as people do in a terminal: as a process with pipes. */

import { run, startArguments } from "../_server.ts";

/** The program and its arguments, with the permissions of `start`. */
export const PROGRAM = [Deno.execPath(), ...startArguments()];

/** The outcome of a command. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly log: string;
}

/** Runs a command line, whose words have no spaces, with an input. */
export function runLine(line: string, input: BlobPart = ""): Promise<Outcome> {
  return run([...PROGRAM, ...line.split(" ")], { input });
}

/** Runs a command line and returns the bytes of its output. */
export async function runBytes(
  [command, ...args]: readonly string[],
  input: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const child = new Deno.Command(command!, {
    args,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writing = new Blob([input]).stream().pipeTo(child.stdin);
  const { stdout } = await child.output();
  await writing;
  return stdout;
}

/** The program as a shell calls it, in any folder. */
export const LINE = PROGRAM
  .map((word) => word.replace(/\bmain\.ts$|\bdeno\.lock$/, Deno.realPathSync))
  .map((word) => `'${word}'`)
  .join(" ");

/** Runs a script of a shell, in which `devutils` is the program, in a folder. */
export function runScript(script: string, cwd = "."): Promise<Outcome> {
  return run(["bash", "-c", `devutils() { ${LINE} "$@"; }\n${script}`], {
    cwd,
  });
}

/** A line of a shell in a page of the documentation, and the output that it shows. */
export type Example = readonly [line: string, output: string];

/** Returns the examples of a page that call `devutils`. */
export function readExamples(page: string): Example[] {
  return [...page.matchAll(/^\$ (.*\bdevutils .+)\n((?:(?!\$ |```).*\n)*)/gm)]
    .map(([, line, output]) => [line!, output!]);
}
