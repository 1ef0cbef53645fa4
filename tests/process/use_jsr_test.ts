import { assertEquals } from "@std/assert";
import { runDeno } from "../_server.ts";

async function readJson(path: string) {
  return JSON.parse(await Deno.readTextFile(path));
}

const config = await readJson("deno.json");

Deno.test({
  name: "use:jsr maps the standard library to JSR and keeps all other imports",
  // After the task has run, the imports no longer have the npm package.
  ignore: !config.imports["@std/http/etag"].startsWith("npm:"),
  fn: useJsr,
});

async function useJsr(): Promise<void> {
  await Deno.mkdir("tests/.generated", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
  await Deno.mkdir(`${folder}/lib`);
  for (const file of ["deno.json", "lib/std.d.ts"]) {
    await Deno.copyFile(file, `${folder}/${file}`);
  }
  const tool = `${Deno.cwd()}/tools/use_jsr.ts`;
  for (
    const args of [
      ["run", "--no-config", "--allow-read=.", "--allow-write=.", tool],
      ["fmt", "--check", "deno.json"],
    ]
  ) {
    const { code, log } = await runDeno(args, { cwd: folder });
    assertEquals(code, 0, log);
  }
  const { types: _, ...compilerOptions } = config.compilerOptions;
  assertEquals(await readJson(`${folder}/deno.json`), {
    ...config,
    compilerOptions,
    imports: {
      ...config.imports,
      "@std/cli/parse-args": "jsr:@std/cli@^1/parse-args",
      "@std/encoding/base64": "jsr:@std/encoding@^1/base64",
      "@std/encoding/base64url": "jsr:@std/encoding@^1/base64url",
      "@std/http/negotiation": "jsr:@std/http@^1/negotiation",
      "@std/http/etag": "jsr:@std/http@^1/etag",
    },
    scopes: {
      "./": { ...config.scopes["./"], "@std/assert": "jsr:@std/assert@^1" },
    },
  });
  assertEquals([...Deno.readDirSync(`${folder}/lib`)], []);
  await Deno.remove(folder, { recursive: true });
}
