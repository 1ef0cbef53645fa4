/** The tool that compiles the service into binaries. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { nameBinary } from "../../tools/compile.ts";
import { readCommand, runDeno } from "../_server.ts";

const COMPILED = "tests/.generated/compiled";

/** Runs the task `compile` for another folder. */
function compile(env: Record<string, string>) {
  const args = readCommand("compile").slice(1)
    .map((word) => word.replace("=dist", `=${COMPILED}`));
  return runDeno([...args, `--into=${COMPILED}`], { env });
}

Deno.test("a binary contains only the code and the page, and is removed if its test fails", async () => {
  const { code, output, log } = await compile({ DENORT_BIN: Deno.execPath() });
  assertEquals(code, 1, log);
  const name = nameBinary(Deno.build.target);
  assertStringIncludes(
    log,
    `removed ${COMPILED}/${name}, which failed its test`,
  );
  assertEquals([...Deno.readDirSync(COMPILED)], []);
  const folders = [...`${output}${log}`.matchAll(/^[├└]─[─┬] ([^.][^\s/]*)/gm)]
    .map(([, name]) => name);
  // The standard library from npm is in a folder whose name starts with a dot.
  assertEquals(folders, ["deno.json", "lib", "main.ts", "routes", "web"]);
});

Deno.test("compile suggests DENORT_BIN if the runtime is missing", async () => {
  const { code, log } = await compile({ DENORT_BIN: "/nowhere/denort" });
  assertEquals(code, 1);
  assertMatch(log, /^error: /m);
  assertStringIncludes(log, "set DENORT_BIN to a denort binary");
});
