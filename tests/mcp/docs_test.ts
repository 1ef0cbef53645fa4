/** Checks docs/agents.md and server.json against the service. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import entry from "../../tools/publish/server.json" with { type: "json" };
import { SERVER } from "../../routes/mcp.ts";
import { nameBinary } from "../../tools/compile.ts";
import { createManifest } from "../../tools/publish/mcpb.ts";
import { send } from "./_client.ts";

const page = await Deno.readTextFile("docs/agents.md");

Deno.test("every configuration in docs/agents.md is JSON with one server", () => {
  const blocks = [...page.matchAll(/^```json\n([^]+?)^```$/gm)];
  assertEquals(blocks.length, 2);
  for (const [, block] of blocks) {
    const [servers] = Object.values<object>(JSON.parse(block!));
    assertEquals(Object.keys(servers!), ["devutils"]);
  }
});

Deno.test("the manifest of a bundle starts the binary that is in it", () => {
  for (
    const [target, platform] of [
      ["x86_64-unknown-linux-gnu", "linux"],
      ["aarch64-apple-darwin", "darwin"],
      ["x86_64-pc-windows-msvc", "win32"],
    ] as const
  ) {
    const binary = nameBinary(target);
    const manifest = createManifest(binary);
    assertEquals(manifest.version, config.version);
    assertEquals(manifest.server, {
      type: "binary",
      entry_point: `server/${binary}`,
      mcp_config: {
        command: `\${__dirname}/server/${binary}`,
        args: ["mcp"],
      },
    });
    assertEquals(manifest.compatibility, { platforms: [platform] });
    assertEquals(
      manifest.tools.map(({ name }) => name),
      SERVER.tools.map(({ name }) => name),
    );
  }
});

Deno.test("docs/agents.md lists tools, and shows the result of a call", async () => {
  const names = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  const tools = SERVER.tools.map(({ name }) => name);
  assertEquals(names, tools.filter((name) => names.includes(name)));
  assert(names.length >= 5);
  const [, message, answer] = /^\$ curl .* -d '(.+)'\n(.+)$/m.exec(page)!;
  assertEquals((await send(message)).body, JSON.parse(answer!));
});

Deno.test("server.json has this version and the server's texts, and placeholders for names", () => {
  const { title, description, version } = SERVER.serverInfo;
  assertEquals(
    [entry.title, entry.description, entry.version],
    [title, description, version],
  );
  // The registry allows at most 100 characters.
  assert(entry.description.length <= 100);
  const [image] = entry.packages;
  assertMatch(entry.name, /^com\.example\/[a-z]+$/);
  assertEquals(
    image!.identifier,
    `registry.example.com/devutils:${config.version}`,
  );
  assertMatch(entry.remotes[0]!.url, /^https:\/\/\w+\.example\.com\/mcp$/);
});
