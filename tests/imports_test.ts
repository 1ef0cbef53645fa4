/** The exported computations are independent of the rest of the service. */

import { assert, assertEquals } from "@std/assert";

const PARTS = ["lib/json/rewrite.ts", "lib/base64.ts", "lib/password.ts"];

/** Modules of the project that the computations may import. */
const ALLOWED =
  /^lib\/(?:json\/\w+|base64|password|parse|quote|work|std\.d)\.ts$/;

/** Lists the project's modules that a module imports, directly or indirectly. */
async function listImports(path: string): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", path],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  const root = new URL("../", import.meta.url).href;
  return modules
    .map(({ specifier }: { readonly specifier: string }) => specifier)
    .filter((specifier: string) => specifier.startsWith(root))
    .map((specifier: string) => specifier.slice(root.length));
}

for (const part of PARTS) {
  Deno.test(`${part} imports nothing of HTTP or of the process`, async () => {
    const imports = await listImports(part);
    assert(imports.includes(part));
    assertEquals(imports.filter((path) => !ALLOWED.test(path)), []);
  });
}
