/** The tool that compiles the service into binaries. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { nameBinary } from "../../tools/compile.ts";
import { readCommand, runDeno } from "../_server.ts";

const COMPILED = "tests/.generated/compiled";

/** Runs the task `compile` for another folder. */
function compile(env: Record<string, string>) {
  const args = readCommand("compile").slice(1)
    .map((word) => word.replace("=dist", `=${COMPILED}`));
  return runDeno([...args, `--into=${COMPILED}`], { env });
}

Deno.test("a binary contains only the code and the page, and is removed if it does not serve", async () => {
  const { code, output, log } = await compile({ DENORT_BIN: Deno.execPath() });
  assertEquals(code, 1, log);
  const name = nameBinary(Deno.build.target);
  assertStringIncludes(log, `${name} does not serve, and is removed`);
  assertEquals([...Deno.readDirSync(COMPILED)], []);
  const tree = `${output}${log}`;
  const list = (pattern: RegExp) =>
    [...tree.matchAll(pattern)].map(([, entry]) => entry!);
  // The standard library from npm is in a folder whose name starts with a dot.
  assertEquals(
    list(/^[├└]─[─┬] ([^.][^\s/]*)/gm),
    ["deno.json", "lib", "main.ts", "routes", "web"],
  );
  assertEquals(
    list(/^│ {3}(?:│ )?[├└]─[─┬] (?!deno-std)([^/\s]+)\S* /gm),
    [],
  );
  const [size] = list(/^Files: ([\d.]+)MB$/gm);
  assert(Number(size) < 17, `${size} MB are embedded`);
});

Deno.test("compile suggests DENORT_BIN if the runtime is missing", async () => {
  const { code, log } = await compile({ DENORT_BIN: "/nowhere/denort" });
  assertEquals(code, 1);
  assertMatch(log, /^error: /m);
  assertStringIncludes(log, "set DENORT_BIN to a denort of that target");
});
