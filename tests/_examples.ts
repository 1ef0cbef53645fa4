/** The examples in the documentation of modules. */

/** An example, and the lines that its comments promise. */
export interface Example {
  readonly code: string;
  readonly output: string;
}

/** Reads the example in a module's documentation. */
export function readExample(path: string): Example {
  const source = Deno.readTextFileSync(path);
  const [, block] = /^ \* ```ts\n([^]+?)^ \* ```$/m.exec(source)!;
  const code = block!.replaceAll(/^ \* ?/gm, "");
  return { code, output: readOutput(code) };
}

/** Reads the lines that the comments of a program promise. */
export function readOutput(program: string): string {
  const promised = [...program.matchAll(/^console\.log.+; \/\/ (.+)$/gm)];
  return promised.map(([, line]) => `${line}\n`).join("");
}
