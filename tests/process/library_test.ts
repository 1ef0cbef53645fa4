/** Runs the examples of the exports from another folder, and the programs of docs/library.md. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { readExample, readOutput } from "../_examples.ts";
import { runDeno, type ServerProcess, startProcess } from "../_server.ts";
import { fetchWithin } from "../_within.ts";

const { name, version, exports: { "./cli": _program, ...modules } } = config;

/** Creates a folder with a project that uses this repository as a package. */
async function makeProject(): Promise<string> {
  await Deno.mkdir("tests/.generated", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
  await Deno.writeTextFile(
    `${folder}/deno.json`,
    JSON.stringify({
      links: ["../../.."],
      imports: { [name]: `jsr:${name}@^${version}` },
      lock: false,
    }),
  );
  return folder;
}

Deno.test("the example of each export prints the documented output in another folder", async (t) => {
  const cwd = await makeProject();
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
      assert(output !== "", "it promises an output");
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
  await Deno.remove(cwd, { recursive: true });
});

Deno.test("the package serves on all cores if Deno permits it, and otherwise names the missing option", async () => {
  const folder = await makeProject();
  const program = `${folder}/cli.ts`;
  await Deno.writeTextFile(program, `import "${name}/cli";\n`);
  // Threads read modules, which are files as long as the package is not published.
  const deno =
    "run --no-prompt --allow-net=127.0.0.1 --allow-env --allow-read=."
      .split(" ");
  const serve = ["serve", "--parallel", "--host=127.0.0.1", "--port=0"];
  // Deno itself asks for the option.
  const { code, output, log } = await runDeno([...deno, program, ...serve]);
  assertEquals([code, output], [70, ""]);
  assertStringIncludes(log, "`--unstable-net` flag must be provided");
  {
    const command = [...deno, "--unstable-net", program, ...serve];
    await using server = await startProcess([Deno.execPath(), ...command]);
    // Enough connections at a time that every thread gets one.
    await Promise.all(Array.from({ length: 20 }, async () => {
      const headers = { connection: "close" };
      const response = await fetchWithin(`${server.origin}/healthz`, {
        headers,
      });
      assertEquals(await response.json(), { status: "ok" });
    }));
    assertEquals(server.log(), `listening on ${server.origin}\n`);
  }
  await Deno.remove(folder, { recursive: true });
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
  const response = await fetchWithin(`${server.origin}/api/hash`, {
    method: "POST",
    body: " ".repeat(65_537),
  });
  await response.body?.cancel();
  assertEquals(response.status, 413);
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
  for (const link of [...links, "api/uuid", "openapi.json", "mcp"]) {
    const init = link === "mcp" ? { method: "POST", body: ping } : {};
    const response = await fetchWithin(new URL(link, page.url), init);
    assertEquals([link, response.status], [link, 200]);
    if (link !== "openapi.json") await response.body?.cancel();
    else {
      const [{ url }] = (await response.json()).servers;
      const base = new URL(url, response.url).href;
      assertEquals(base, `${server.origin}/util/`);
    }
  }
});
