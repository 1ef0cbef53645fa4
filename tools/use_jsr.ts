/**
 * Switches the standard library from its repackaging on npm to JSR, where the
 * Deno project publishes it: edits `imports.json` and `deno.json`, and deletes
 * `lib/std.d.ts`, the types that the repackaging lacks.
 *
 * @module
 */

/** Converts, for example, `@std/http/etag` to `jsr:@std/http@^1/etag`. */
function toJsr(name: string): string {
  return name.replace(/^@std\/[^/]+/, "jsr:$&@^1");
}

async function editJson(
  path: string,
  edit: (value: Record<string, Record<string, unknown>>) => void,
): Promise<void> {
  const value = JSON.parse(await Deno.readTextFile(path));
  edit(value);
  await Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

await editJson("imports.json", (map) => {
  for (const name of Object.keys(map.imports!)) {
    if (name.startsWith("@std/")) map.imports![name] = toJsr(name);
  }
});
await editJson("deno.json", ({ compilerOptions }) => {
  delete compilerOptions!.types;
});
await Deno.remove("lib/std.d.ts");
