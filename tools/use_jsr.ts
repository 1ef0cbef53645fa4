/**
 * Switches the standard library from its repackaging on npm to JSR, where the
 * Deno project publishes it: edits `deno.json`, and deletes `lib/std.d.ts`,
 * the types that the repackaging lacks.
 *
 * @module
 */

/** Converts, for example, `@std/http/etag` to `jsr:@std/http@^1/etag`. */
function toJsr(name: string): string {
  return name.replace(/^@std\/[^/]+/, "jsr:$&@^1");
}

const config = JSON.parse(await Deno.readTextFile("deno.json"));
for (const imports of [config.imports, config.scopes["./"]]) {
  for (const name of Object.keys(imports)) {
    if (name.startsWith("@std/")) imports[name] = toJsr(name);
  }
}
delete config.compilerOptions.types;
await Deno.writeTextFile(
  "deno.json",
  `${JSON.stringify(config, null, 2)}\n`,
);
await Deno.remove("lib/std.d.ts");
