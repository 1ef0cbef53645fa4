/** The program as one file that Deno runs from an address, as of a release. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  readCommand,
  run,
  runDeno,
  type ServerProcess,
  startProcess,
} from "../_server.ts";
import { fetchWithin } from "../_within.ts";
import { loadOperations } from "../../routes/operations.ts";
import { DIGEST, HASH } from "../guarantees/_exchanges.ts";

const FOLDER = "tests/.generated/bundle";

/** Runs the task `bundle` for another folder, and returns the text of the file. */
async function bundle(): Promise<string> {
  await Deno.mkdir(FOLDER, { recursive: true });
  const args = readCommand("bundle").slice(1)
    .map((word) => word.replace("=dist", `=${FOLDER}`).replace(",dist", ""));
  const { code, log } = await runDeno([...args, `--into=${FOLDER}`]);
  assertEquals([code, log], [0, ""]);
  return await Deno.readTextFile(`${FOLDER}/devutils.js`);
}

/** A person who has Deno and the address of the file, and nothing else. */
interface Visitor extends AsyncDisposable {
  /** The command that runs the file from its address, with permissions of Deno. */
  command(...permissions: string[]): string[];
  readonly env: Record<string, string>;
  /** The paths that were downloaded. */
  readonly downloads: readonly string[];
}

/**
 * Serves the file as GitHub serves those of a release: by a redirect to an address without
 * its name, and without saying that it is JavaScript. Other downloads fail.
 */
async function visit(file: string): Promise<Visitor> {
  const downloads: string[] = [];
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(options, ({ url }) => {
    const { pathname } = new URL(url);
    downloads.push(pathname);
    if (pathname.startsWith("/download/")) {
      return new Response(null, {
        status: 302,
        headers: { location: "/4f1c" },
      });
    }
    const headers = { "content-type": "application/octet-stream" };
    return new Response(file, { headers });
  });
  const cache = await Deno.makeTempDir({ dir: FOLDER });
  const address = `http://127.0.0.1:${server.addr.port}/download/devutils.js`;
  return {
    command: (...permissions) => [
      Deno.execPath(),
      "run",
      "--quiet",
      "--no-prompt",
      // Else Deno would use the configuration of this repository.
      "--no-config",
      ...permissions,
      address,
    ],
    env: {
      DENO_DIR: cache,
      HTTPS_PROXY: "http://127.0.0.1:1",
      NO_PROXY: "127.0.0.1",
    },
    downloads,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(cache, { recursive: true });
    },
  };
}

/** Asserts that a server answers the page with all that it loads, operations and agents. */
async function assertServes({ origin }: ServerProcess): Promise<void> {
  const html = await (await fetchWithin(origin)).text();
  const links = [...html.matchAll(/ (?:src|href)="([^"#:]+\.\w+)"/g)]
    .map(([, link]) => link!);
  assert(links.length > 3, "the page loads its parts");
  for (const link of links) {
    const response = await fetchWithin(`${origin}/${link}`);
    await response.body?.cancel();
    assertEquals([link, response.status], [link, 200]);
  }
  const body = JSON.stringify(HASH);
  const hash = await fetchWithin(`${origin}/api/hash`, {
    method: "POST",
    body,
  });
  assertEquals((await hash.json()).result, DIGEST);
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const tools = await fetchWithin(`${origin}/mcp`, {
    method: "POST",
    body: list,
  });
  const { length } = await loadOperations();
  assertEquals((await tools.json()).result.tools.length, length);
}

Deno.test("one file runs the service, the page, the tools for agents and the commands from its address", async (t) => {
  const file = await bundle();
  await using visitor = await visit(file);
  const { command, env, downloads } = visitor;

  await t.step("a command, without permissions", async () => {
    const hash = [...command(), "hash", "sha1"];
    const { output, log } = await run(hash, { input: "abc", env });
    const digest = "a9993e364706816aba3e25717850c26c9cd0d89d\n";
    assertEquals([output, log], [digest, ""]);
  });

  await t.step("mcp, without permissions", async () => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' +
      '{"name":"convertBase64","arguments":{"action":"encode","input":"a"}}}\n';
    const mcp = [...command(), "mcp"];
    const { output, log } = await run(mcp, { input: call, env });
    assertEquals(log, "");
    const { result } = JSON.parse(output);
    assertEquals(result.structuredContent, { result: "YQ==" });
  });

  const address = ["--port=0", "--host=127.0.0.1"];
  await t.step("serve", async () => {
    const serve = [...command("--allow-net"), "serve", ...address];
    await using server = await startProcess(serve, env);
    await assertServes(server);
  });

  await t.step("serve --parallel", async () => {
    const permissions = ["--allow-net", "--unstable-net"];
    const serve = [...command(...permissions), "serve", "--parallel"];
    await using server = await startProcess([...serve, ...address], env);
    await assertServes(server);
  });

  await t.step("nothing else was downloaded, and the file once", () => {
    assertEquals(downloads, ["/download/devutils.js", "/4f1c"]);
  });
});

Deno.test("the file names its version and licences, and no folder of the machine that made it", async () => {
  const file = await bundle();
  const [notice = ""] = /^\/\*![^]*?\*\/\n/.exec(file) ?? [];
  const licence = await Deno.readTextFile("LICENSE");
  const lines = notice.replaceAll(/^ \* ?/gm, "");
  assertStringIncludes(lines, licence);
  const { npm } = JSON.parse(await Deno.readTextFile("deno.lock"));
  for (const name of Object.keys(npm)) assertStringIncludes(lines, name);
  assertStringIncludes(file, "Adapted directly from negotiator");
  assertStringIncludes(file, "@codemirror/view");
  const paths = [...file.matchAll(/^\/\/ (\S+\.\w+)$/gm)]
    .map(([, path]) => path!);
  assert(paths.length > 50, "comments name the modules");
  const own =
    /^(?:npm:deno-std\/|(?:deno\.json|main\.ts|lib\/|routes\/|web\/))/;
  assertEquals(paths.filter((path) => !own.test(path)), []);
});
