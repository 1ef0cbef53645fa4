/**
 * Changes deno.json so that the standard library comes from JSR, where its authors publish
 * it with types, and not from an unofficial copy on npm. Writes no lock:
 * docs/development.md, "Packages", has the commands.
 *
 * @module
 */

/** Imports of an import map. */
type Imports = Record<string, string>;

const COPY = "npm:deno-std@";
const TYPES = "lib/std.d.ts";

/** Returns imports in which those from the copy are from JSR, of the same name. */
function replaceCopy(imports: Imports): Imports {
  return Object.fromEntries(
    Object.entries(imports).map(([name, specifier]) => {
      if (!specifier.startsWith(COPY)) return [name, specifier];
      const [, module, path = ""] = /^@std\/([^/]+)(\/.+)?$/.exec(name)!;
      return [name, `jsr:@std/${module}@^1${path}`];
    }),
  );
}

const config = JSON.parse(await Deno.readTextFile("deno.json"));
config.imports = replaceCopy(config.imports);
config.scopes["./"] = replaceCopy(config.scopes["./"]);
// The types of the copy's functions.
delete config.compilerOptions.types;
await Deno.remove(TYPES);
await Deno.writeTextFile(
  "deno.json",
  `${JSON.stringify(config, null, 2)}\n`,
);
