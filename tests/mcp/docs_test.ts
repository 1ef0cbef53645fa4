/** Checks docs/agents.md and server.json against the service. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import entry from "../../server.json" with { type: "json" };
import { SERVER } from "../../routes/mcp.ts";
import { send } from "./_client.ts";

const page = await Deno.readTextFile("docs/agents.md");

Deno.test("every configuration in docs/agents.md is JSON with one server", () => {
  const blocks = [...page.matchAll(/^```json\n([^]+?)^```$/gm)];
  assertEquals(blocks.length, 4);
  for (const [, block] of blocks) {
    const [servers] = Object.values<object>(JSON.parse(block!));
    assertEquals(Object.keys(servers!), ["devutils"]);
  }
});

Deno.test("docs/agents.md lists all tools, and shows the result of a call", async () => {
  const names = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  assertEquals(names, SERVER.tools.map(({ definition }) => definition.name));
  const [, message, answer] = /^\$ curl .* -d '(.+)'\n(.+)$/m.exec(page)!;
  assertEquals((await send(message)).body, JSON.parse(answer!));
});

Deno.test("server.json has this version and the server's texts, and placeholders for names", () => {
  const { texts, version, websiteUrl } = SERVER;
  const { title, description } = texts;
  assertEquals(
    [entry.title, entry.description, entry.version, entry.websiteUrl],
    [title, description, version, websiteUrl],
  );
  // The registry allows at most 100 characters.
  assert(description.length <= 100);
  const [image] = entry.packages;
  assertMatch(entry.name, /^com\.example\/[a-z]+$/);
  assertEquals(
    image!.identifier,
    `registry.example.com/devutils:${config.version}`,
  );
  assertMatch(entry.remotes[0]!.url, /^https:\/\/\w+\.example\.com\/mcp$/);
});
