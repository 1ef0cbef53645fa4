/** The examples in the documentation, and the random values in them. */

/** A program, and the output that its comments show. */
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

/** Reads the output that the comments of a program show. */
export function readOutput(program: string): string {
  const shown = [...program.matchAll(/^console\.log.+; \/\/ (.+)$/gm)];
  return shown.map(([, line]) => `${line}\n`).join("");
}

/** The pattern of a UUID of version 4. */
export const UUID =
  "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

/** Replaces random values: UUIDs, and the characters of passwords. */
export function hideRandom(response: string): string {
  return response
    .replaceAll(RegExp(UUID, "g"), "UUID")
    .replace(/(?<="password":)"[^"]+"/, hide)
    .replace(
      /(?<="passwords":\[)"[^"]+"(?:,"[^"]+")*/,
      (passwords) => passwords.replaceAll(/"[^"]+"/g, hide),
    );
}

/** Replaces each character between quotes. A password can contain any character except a quote. */
function hide(quoted: string): string {
  return `"${"x".repeat(quoted.length - 2)}"`;
}
