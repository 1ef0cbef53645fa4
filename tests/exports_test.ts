/** Runs the examples of the exports' documentation in another folder, with Deno and Node. */

import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import config from "../deno.json" with { type: "json" };
import { readExample } from "./_examples.ts";
import { readVersion, run } from "./_server.ts";

const { "./cli": _program, ...modules } = config.exports;

/** The exports that other modules import. */
const EXPORTS = Object.entries(modules);

/** The exports that run in Node without a package. */
const PORTABLE = ["./json", "./password"] as const;

/** Creates a folder outside of this repository. */
function makeFolder(): string {
  Deno.mkdirSync("tests/.generated", { recursive: true });
  return Deno.makeTempDirSync({ dir: "tests/.generated" });
}

/** Runs a program in a folder, with an input if one is given, and returns its output. */
async function runIn(
  cwd: string,
  command: readonly string[],
  input = "",
): Promise<string> {
  const { code, output, log } = await run(command, { cwd, input });
  assertEquals(code, 0, log);
  return output;
}

Deno.test("the example of each export prints the documented output in another folder", async (t) => {
  const folder = makeFolder();
  const { name, version } = config;
  Deno.writeTextFileSync(
    `${folder}/deno.json`,
    JSON.stringify({
      links: ["../../.."],
      imports: { [name]: `jsr:${name}@^${version}` },
      lock: false,
      // For Deno before 2.8, as the documentation says.
      unstable: ["raw-imports"],
    }),
  );
  for (const [specifier, path] of EXPORTS) {
    await t.step(specifier, async () => {
      const { code, output } = readExample(path);
      const imported = `from "${name}${specifier.slice(1)}"`;
      assert(code.includes(imported), `the example imports ${imported}`);
      const file = `${path.replaceAll(/\W/g, "_")}.ts`;
      Deno.writeTextFileSync(`${folder}/${file}`, code);
      const command = [Deno.execPath(), "run", "--no-prompt", file];
      assert(output !== "", "it promises an output");
      assertEquals(await runIn(folder, command), output);
    });
  }
  await t.step("./cli, which is run", async () => {
    Deno.writeTextFileSync(`${folder}/cli.ts`, `import "${name}/cli";\n`);
    const command = [Deno.execPath(), "run", "--no-prompt", "cli.ts"];
    const encode = [...command, "base64", "encode"];
    assertEquals(await runIn(folder, encode, "abc"), "YWJj\n");
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const pong = '{"jsonrpc":"2.0","id":1,"result":{}}\n';
    assertEquals(await runIn(folder, [...command, "mcp"], ping), pong);
  });
  await t.step({
    name: "with types (needs TypeScript 6, which knows toHex())",
    ignore: Number.parseInt(Deno.version.typescript) < 6,
    async fn() {
      await runIn(folder, [Deno.execPath(), "check", "."]);
    },
  });
  Deno.removeSync(folder, { recursive: true });
});

/** Writes a module and its imports as JavaScript into a folder. */
function transpile(path: string, folder: string): void {
  const source = Deno.readTextFileSync(path);
  assert(!/\bDeno\.|\bprocess\./.test(source), `${path} needs a runtime`);
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      rewriteRelativeImportExtensions: true,
      // Comments contain the example, which imports the package by its name.
      removeComments: true,
    },
  });
  const target = `${folder}/${path.replace(/\.ts$/, ".js")}`;
  Deno.mkdirSync(target.slice(0, target.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(target, outputText);
  for (const [, imported] of outputText.matchAll(/ from "(.+)";$/gm)) {
    assert(imported!.startsWith("."), `${path} imports ${imported}`);
    const url = new URL(imported!, `file:///${path}`);
    transpile(url.pathname.slice(1).replace(/\.js$/, ".ts"), folder);
  }
}

const hasNode = await readVersion("node") !== "";

for (const specifier of PORTABLE) {
  Deno.test({
    name:
      `the example of ${specifier} prints the documented output in Node (needs Node)`,
    ignore: !hasNode,
    async fn() {
      const folder = makeFolder();
      const path = config.exports[specifier].slice(2);
      transpile(path, folder);
      const { code, output } = readExample(path);
      const script = code.replace(
        `"${config.name}${specifier.slice(1)}"`,
        `"./${path.replace(/\.ts$/, ".js")}"`,
      );
      Deno.writeTextFileSync(`${folder}/package.json`, '{"type":"module"}');
      Deno.writeTextFileSync(`${folder}/example.js`, script);
      assertEquals(await runIn(folder, ["node", "example.js"]), output);
      Deno.removeSync(folder, { recursive: true });
    },
  });
}
