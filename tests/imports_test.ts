/** The arrows between the parts of the house: they run down only. */

import { assert } from "@std/assert";

/** The floors from the top; a part may import what stands on its own floor or below. */
const FLOORS = [
  /^(?:main|parallel|worker|mcp)\.ts$/,
  /^(?:routes|web)\/|^deno\.json$/,
  /^lib\/(?:process|mcp)\//,
  /^lib\/http\//,
  /^lib\/(?:json\/|base64\.ts|password\.ts)/,
  /^lib\/(?:parse|quote|log)\.ts$/,
];

/** The modules of one part, and what each imports of the project. */
function* findImports(): Generator<[module: string, imported: string]> {
  const root = new URL("../", import.meta.url);
  const files = [
    ..."lib routes lib/process lib/mcp lib/http lib/json".split(" "),
  ]
    .flatMap((folder) =>
      [...Deno.readDirSync(new URL(folder, root))]
        .map(({ name }) => `${folder}/${name}`)
    )
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));
  for (
    const path of ["main.ts", "parallel.ts", "worker.ts", "mcp.ts", ...files]
  ) {
    const text = Deno.readTextFileSync(new URL(path, root));
    for (const [, target] of text.matchAll(/(?:from|import\(?) "(\..+?)"/g)) {
      const { href } = new URL(target!, new URL(path, root));
      yield [path, href.slice(root.href.length)];
    }
  }
}

function findFloor(path: string): number {
  const floor = FLOORS.findIndex((pattern) => pattern.test(path));
  assert(floor !== -1, `${path} stands on no floor`);
  return floor;
}

Deno.test("imports run down: main, routes, process and mcp, http, what computes, the ground", () => {
  const imports = [...findImports()];
  assert(imports.length > 50, `found just ${imports.length} imports`);
  for (const [module, imported] of imports) {
    assert(
      findFloor(module) <= findFloor(imported),
      `${module} must not import ${imported}`,
    );
  }
});

/** The modules that put routes together: for a server, and for a local agent. */
const ASSEMBLIES = ["routes/mod.ts", "routes/stdio.ts"];

Deno.test("a route imports no other route but where they are put together", () => {
  for (const [module, imported] of findImports()) {
    if (ASSEMBLIES.includes(module) || !module.startsWith("routes/")) continue;
    assert(
      !/^routes\/.*\.ts$/.test(imported),
      `${module} must not import ${imported}`,
    );
  }
});
