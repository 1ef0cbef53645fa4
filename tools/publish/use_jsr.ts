/**
 * Changes deno.json to import the standard library from JSR instead of an unofficial copy on
 * npm. Doesn't update the lock files. docs/releases.md lists the commands for that.
 *
 * @module
 */

type Imports = Record<string, string>;

const COPY = "npm:deno-std@";
const TYPES = "lib/std.d.ts";

/** Replaces imports from the copy with the same imports from JSR. */
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
// The copy has no types.
delete config.compilerOptions.types;
await Deno.remove(TYPES);
await Deno.writeTextFile(
  "deno.json",
  `${JSON.stringify(config, null, 2)}\n`,
);
