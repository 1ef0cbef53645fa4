/** The program as one file that Deno runs from a URL, as in a release. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readCommand, run, runDeno, startProcess } from "../_server.ts";
import { fetchStatus, fetchWithin } from "../_within.ts";

const FOLDER = "tests/.generated/bundle";

/** Runs the task `bundle` for another folder, and returns the content of the file. */
async function bundle(): Promise<string> {
  await Deno.mkdir(FOLDER, { recursive: true });
  const args = readCommand("bundle").slice(1)
    .map((word) => word.replace("=dist", `=${FOLDER}`).replace(",dist", ""));
  const { code, log } = await runDeno([...args, `--into=${FOLDER}`]);
  assertEquals([code, log], [0, ""]);
  return await Deno.readTextFile(`${FOLDER}/devutils.js`);
}

Deno.test("one file from a URL runs the service, its page, the tools for agents, and the commands", async (t) => {
  const file = await bundle();
  const downloads: string[] = [];
  // Like GitHub: a redirect to a URL without the name, and no JavaScript content type.
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) => {
      const { pathname } = new URL(url);
      downloads.push(pathname);
      if (pathname.startsWith("/download/")) {
        const headers = { location: "/4f1c" };
        return new Response(null, { status: 302, headers });
      }
      const headers = { "content-type": "application/octet-stream" };
      return new Response(file, { headers });
    },
  );
  const env = {
    DENO_DIR: await Deno.makeTempDir({ dir: FOLDER }),
    // Other downloads fail.
    HTTPS_PROXY: "http://127.0.0.1:1",
    NO_PROXY: "127.0.0.1",
  };
  function createCommand(...permissions: string[]): string[] {
    // `--no-config`: not the configuration of this repository.
    const options = ["run", "--quiet", "--no-prompt", "--no-config"];
    const url = `http://127.0.0.1:${server.addr.port}/download/devutils.js`;
    return [Deno.execPath(), ...options, ...permissions, url];
  }

  await t.step("a command, without permissions", async () => {
    const hash = [...createCommand(), "hash", "sha1"];
    const { output, log } = await run(hash, { input: "abc", env });
    const digest = "a9993e364706816aba3e25717850c26c9cd0d89d\n";
    assertEquals([output, log], [digest, ""]);
  });

  await t.step("mcp, without permissions", async () => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' +
      '{"name":"convertBase64","arguments":{"action":"encode","input":"a"}}}\n';
    const mcp = [...createCommand(), "mcp"];
    const { output, log } = await run(mcp, { input: call, env });
    assertEquals(log, "");
    const { result } = JSON.parse(output);
    assertEquals(result.structuredContent, { result: "YQ==" });
  });

  await t.step("serve", async () => {
    const options = ["serve", "--port=0", "--host=127.0.0.1"];
    const serve = [...createCommand("--allow-net"), ...options];
    await using service = await startProcess(serve, env);
    const html = await (await fetchWithin(service.origin)).text();
    const links = [...html.matchAll(/ (?:src|href)="([^"#:]+\.\w+)"/g)]
      .map(([, link]) => link!);
    assert(links.length > 3, "the page loads its parts");
    for (const link of [...links, "api/uuid"]) {
      const status = await fetchStatus(`${service.origin}/${link}`);
      assertEquals([link, status], [link, 200]);
    }
  });

  await t.step("only the file was downloaded, and only once", () => {
    assertEquals(downloads, ["/download/devutils.js", "/4f1c"]);
  });

  await t.step(
    "it contains the licenses of the program and its packages",
    async () => {
      const [notice = ""] = /^\/\*![^]*?\*\/\n/.exec(file) ?? [];
      const lines = notice.replaceAll(/^ \* ?/gm, "");
      assertStringIncludes(lines, await Deno.readTextFile("LICENSE"));
      const { npm } = JSON.parse(await Deno.readTextFile("deno.lock"));
      for (const name of Object.keys(npm)) assertStringIncludes(lines, name);
      assertStringIncludes(file, "Adapted directly from negotiator");
      assertStringIncludes(file, "@codemirror/view");
    },
  );
});
