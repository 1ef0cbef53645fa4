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
  const promised = [...code.matchAll(/^console\.log\(.+; \/\/ (.+)$/gm)];
  return { code, output: promised.map(([, line]) => `${line}\n`).join("") };
}
