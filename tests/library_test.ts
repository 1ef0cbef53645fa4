/** Runs the programs of `docs/library.md` unchanged. */

import { assert, assertEquals } from "@std/assert";
import { type ServerProcess, startProcess } from "./_server.ts";

const [serving, mounted] = [
  ...Deno.readTextFileSync("docs/library.md").matchAll(
    /^```ts\n([^]+?)^```$/gm,
  ),
].map(([, program]) => program!);

/** Starts a program on a free port of the loopback interface. */
function start(program: string, name: string): Promise<ServerProcess> {
  Deno.mkdirSync("tests/.generated", { recursive: true });
  const path = `tests/.generated/${name}.ts`;
  const local = 'Deno.serve({ hostname: "127.0.0.1", port: 0 }, ';
  Deno.writeTextFileSync(path, program.replace("Deno.serve(", local));
  const args = ["--no-prompt", "--allow-net"];
  return startProcess([Deno.execPath(), "run", ...args, path]);
}

Deno.test("the handler serves in another server, with the given option", async () => {
  await using server = await start(serving!, "serving");
  const response = await fetch(`${server.origin}/api/hash`, {
    method: "POST",
    body: " ".repeat(65_537),
  });
  await response.body?.cancel();
  assertEquals(response.status, 413);
});

Deno.test("under a path of Hono the handler serves the page with its assets, and the operations", async () => {
  await using server = await start(mounted!, "mounted");
  const page = await fetch(`${server.origin}/util`);
  assertEquals(page.url, `${server.origin}/util/`);
  const html = await page.text();
  const links = [...html.matchAll(/ (?:src|href)="([^"#:]+)"/g)]
    .map(([, link]) => link!);
  assert(links.length > 3, "the page loads its parts");
  for (const link of [...links, "api/uuid", "mcp"]) {
    const response = await fetch(new URL(link, page.url), {
      ...link === "mcp" && {
        method: "POST",
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      },
    });
    await response.body?.cancel();
    assertEquals([link, response.status], [link, 200]);
  }
  const description = await fetch(`${server.origin}/util/openapi.json`);
  const { servers } = await description.json();
  assertEquals(
    new URL(servers[0].url, description.url).href,
    `${server.origin}/util/`,
  );
});
