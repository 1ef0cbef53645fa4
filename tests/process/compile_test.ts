/** The tool that compiles the service into binaries. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { nameBinary, writeSums } from "../../tools/compile.ts";
import { readCommand } from "../_server.ts";

const COMPILED = "tests/.generated/compiled";

Deno.test("a binary contains only the code and the page, and is removed if it does not serve", async () => {
  const [command, ...args] = readCommand("compile");
  assertEquals(command, "deno");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...args.map((word) => word.replace("=dist", `=${COMPILED}`)),
      `--into=${COMPILED}`,
    ],
    env: { DENORT_BIN: Deno.execPath(), NO_COLOR: "1" },
  }).output();
  const list = new TextDecoder().decode(stdout);
  const errors = new TextDecoder().decode(stderr);
  assertEquals(code, 1, errors);
  const name = nameBinary(Deno.build.target);
  assertStringIncludes(errors, `${name} does not serve, and is removed`);
  assertEquals([...Deno.readDirSync(COMPILED)], []);
  const entries = [...`${list}${errors}`.matchAll(/^[├└]─[─┬] (\S+) /gm)]
    .map((
      [, entry],
    ) => entry!.replace(/\/\*$/, ""));
  // The standard library from npm is in a folder whose name starts with a dot.
  assertEquals(entries.filter((entry) => !entry.startsWith(".")), [
    "deno.json",
    "lib",
    "main.ts",
    "mcp.ts",
    "routes",
    "web",
  ]);
  const page = [...`${list}${errors}`.matchAll(/^ {2}[├└]── (\S+) /gm)].map(
    (
      [, entry],
    ) => entry,
  );
  assertEquals(page, [
    "app.js",
    "call.js",
    "caret.js",
    "dom.js",
    "editor.css",
    "editor.js",
    "foot.js",
    "form.js",
    "index.html",
    "marks.js",
    "memory.js",
    "message.js",
    "style.css",
    "suggest.js",
    "text.js",
    "tool.js",
    "tools.js",
    "vendor/codemirror.js",
    "views.js",
  ]);
  const packages = [
    ...`${list}${errors}`.matchAll(
      /^│ {3}(?:│ )?[├└]─[─┬] ([^/\s]+)\S* /gm,
    ),
  ].map(([, name]) => name).filter((name) => name !== "deno-std");
  assertEquals(packages, ["@modelcontextprotocol", "core", "server", "zod"]);
  const [, size] = /^Files: ([\d.]+)MB$/m.exec(`${list}${errors}`)!;
  assert(Number(size) < 17, `${size} MB are embedded`);
});

Deno.test("compile suggests DENORT_BIN only if the runtime is missing", async (t) => {
  async function compile(args: string[], env: Record<string, string>) {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        `--allow-read=${COMPILED}`,
        `--allow-write=${COMPILED}`,
        "--allow-run",
        "tools/compile.ts",
        `--into=${COMPILED}`,
        ...args,
      ],
      env: { NO_COLOR: "1", ...env },
    }).output();
    return { code, log: new TextDecoder().decode(stderr) };
  }
  await t.step("a missing runtime", async () => {
    const { code, log } = await compile([], { DENORT_BIN: "/nowhere/denort" });
    assertEquals(code, 1);
    assertMatch(log, /^error: /m);
    assertStringIncludes(log, "set DENORT_BIN to a denort of that target");
  });
  await t.step("an unknown argument", async () => {
    const { code, log } = await compile(["--bogus"], {});
    assertEquals(code, 1);
    assertStringIncludes(log, "--bogus");
    assert(!log.includes("DENORT_BIN"));
  });
});

Deno.test("writeSums() writes the format of sha256sum --check", async () => {
  const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
  await Deno.writeTextFile(`${folder}/a`, "abc");
  await writeSums(folder, ["a"]);
  assertEquals(
    await Deno.readTextFile(`${folder}/SHA256SUMS`),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n",
  );
  await Deno.remove(folder, { recursive: true });
});
