/** Runs the examples of the exports from another folder, and the programs of docs/library.md. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { readExample, readOutput } from "../_examples.ts";
import {
  createFolder,
  runDeno,
  type ServerProcess,
  startProcess,
} from "../_server.ts";
import { fetchStatus, fetchWithin } from "../_within.ts";

const { name, version, exports: { "./cli": _program, ...modules } } = config;

/** Creates a folder with a project that uses this repository as a package. */
async function createProject(): ReturnType<typeof createFolder> {
  const folder = await createFolder();
  await Deno.writeTextFile(
    `${folder.path}/deno.json`,
    JSON.stringify({
      links: ["../../.."],
      imports: { [name]: `jsr:${name}@^${version}` },
      lock: false,
    }),
  );
  return folder;
}

Deno.test("the example of each export prints the documented output in another folder", async (t) => {
  await using project = await createProject();
  const cwd = project.path;
  async function run(code: string, args: readonly string[], input = "") {
    await Deno.writeTextFile(`${cwd}/example.ts`, code);
    const command = ["run", "--no-prompt", "example.ts", ...args];
    const { output, log } = await runDeno(command, { cwd, input });
    assertEquals(log, "");
    return output;
  }
  await t.step("./json, in docs/library.md", async () => {
    assertEquals(await run(json!, []), readOutput(json!));
  });
  for (const [specifier, path] of Object.entries(modules)) {
    await t.step(specifier, async () => {
      const { code, output } = readExample(path);
      const imported = `from "${name}${specifier.slice(1)}"`;
      assert(code.includes(imported), `the example imports ${imported}`);
      assert(output !== "", "it shows an output");
      assertEquals(await run(code, []), output);
    });
  }
  await t.step("./cli, which is run", async () => {
    const code = `import "${name}/cli";\n`;
    assertEquals(await run(code, ["base64", "encode"], "abc"), "YWJj\n");
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const pong = '{"jsonrpc":"2.0","id":1,"result":{}}\n';
    assertEquals(await run(code, ["mcp"], ping), pong);
  });
});

Deno.test("the package serves on all cores if Deno permits it, and otherwise names the missing option", async () => {
  await using project = await createProject();
  const program = `${project.path}/cli.ts`;
  await Deno.writeTextFile(program, `import "${name}/cli";\n`);
  // Threads read modules, which are files as long as the package is not published.
  const deno =
    "run --no-prompt --allow-net=127.0.0.1 --allow-env --allow-read=."
      .split(" ");
  const serve = ["serve", "--parallel", "--host=127.0.0.1", "--port=0"];
  const { code, log } = await runDeno([...deno, program, ...serve]);
  assertEquals(code, 70);
  assertStringIncludes(log, "`--unstable-net` flag must be provided");
  const command = [...deno, "--unstable-net", program, ...serve];
  await using server = await startProcess([Deno.execPath(), ...command]);
  // Enough connections at a time that every thread gets one.
  await Promise.all(Array.from({ length: 20 }, async () => {
    const init = { headers: { connection: "close" } };
    assertEquals(await fetchStatus(`${server.origin}/healthz`, init), 200);
  }));
  assertEquals(server.log(), `listening on ${server.origin}\n`);
});

const [json, serving, mounted] = [
  ...Deno.readTextFileSync("docs/library.md").matchAll(
    /^```ts\n([^]+?)^```$/gm,
  ),
].map(([, program]) => program!);

/** Starts a program on a free port of the loopback interface. */
async function start(program: string, name: string): Promise<ServerProcess> {
  await Deno.mkdir("tests/.generated", { recursive: true });
  const path = `tests/.generated/${name}.ts`;
  const local = 'Deno.serve({ hostname: "127.0.0.1", port: 0 }, ';
  await Deno.writeTextFile(path, program.replace("Deno.serve(", local));
  const args = ["--lock=tests/deno.lock", "--no-prompt", "--allow-net"];
  return await startProcess([Deno.execPath(), "run", ...args, path]);
}

Deno.test("the handler serves in another server, with the option provided", async () => {
  await using server = await start(serving!, "serving");
  const init = { method: "POST", body: " ".repeat(65_537) };
  assertEquals(await fetchStatus(`${server.origin}/api/hash`, init), 413);
});

Deno.test("under a path of Hono the handler serves the page with its assets, and the operations", async () => {
  await using server = await start(mounted!, "mounted");
  const page = await fetchWithin(`${server.origin}/util`);
  assertEquals(page.url, `${server.origin}/util/`);
  const html = await page.text();
  const links = [...html.matchAll(/ (?:src|href)="([^"#:]+)"/g)]
    .map(([, link]) => link!);
  assert(links.length > 3, "the page loads its parts");
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  for (const link of [...links, "api/uuid", "mcp"]) {
    const init = link === "mcp" ? { method: "POST", body: ping } : {};
    const status = await fetchStatus(new URL(link, page.url), init);
    assertEquals([link, status], [link, 200]);
  }
  const openapi = await fetchWithin(new URL("openapi.json", page.url));
  const [{ url }] = (await openapi.json()).servers;
  assertEquals(new URL(url, openapi.url).href, `${server.origin}/util/`);
});
