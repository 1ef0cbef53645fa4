/** A command loads neither the server nor the tools for agents. */

import { assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { run, startArguments } from "../_server.ts";

/** Replaces a module: importing it fails. */
const BROKEN = 'data:text/javascript,throw "loaded"';

/** Modules that only the server, or only an agent, needs. */
const MODULES = [
  "lib/process/program.ts",
  "lib/process/server.ts",
  "lib/mcp/tools.ts",
  "routes/mod.ts",
  "routes/web.ts",
];

/** Runs the program with the import map's entries replaced. */
function runWith(replaced: Record<string, string>, args: readonly string[]) {
  const imports = { ...config.imports, ...replaced };
  const map = encodeURIComponent(JSON.stringify({ imports }));
  const flags = ["--no-lock", `--import-map=data:application/json,${map}`];
  const [command, ...rest] = startArguments();
  return run([Deno.execPath(), command!, ...flags, ...rest, ...args], {
    input: "[1]",
  });
}

Deno.test("a command loads neither the server nor the tools", async () => {
  const replaced = Object.fromEntries([
    ...MODULES.map((path) => [import.meta.resolve(`../../${path}`), BROKEN]),
  ]);
  for (
    const line of [
      "uuid",
      "password",
      "hash sha1",
      "base64 encode",
      "json minify",
      "--help",
    ]
  ) {
    const { code, log } = await runWith(replaced, line.split(" "));
    assertEquals([line, code], [line, 0], log);
  }
  // Serving does load them.
  const { log } = await runWith(replaced, ["--port=0"]);
  assertEquals(log.includes("loaded"), true);
});
