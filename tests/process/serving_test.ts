/** What serving fetches and a container copies: what is imported, no more. */

import { assert, assertEquals } from "@std/assert";
import { readCommand } from "../_server.ts";

const ENTRIES = ["main.ts", "parallel.ts", "worker.ts"];

interface Graph {
  readonly modules: readonly { readonly specifier: string }[];
  readonly npmPackages?: Readonly<Record<string, unknown>>;
}

async function readGraph(entry: string): Promise<Graph> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

const graphs = await Promise.all(ENTRIES.map(readGraph));

Deno.test("the lock of what serves has the packages that it imports, and no others", async () => {
  const { npm = {} } = JSON.parse(await Deno.readTextFile("deno.lock"));
  const imported = graphs.flatMap(({ npmPackages }) =>
    Object.keys(npmPackages ?? {})
  );
  assertEquals(Object.keys(npm).sort(), [...new Set(imported)].sort());
});

Deno.test("the Dockerfile copies what is imported, and no folder besides", async () => {
  const dockerfile = await Deno.readTextFile("Dockerfile");
  const copied = [...dockerfile.matchAll(/^COPY ((?:\S+ )+)\S+$/gm)]
    .flatMap(([, files]) => files!.trim().split(" "))
    .filter((file) => !file.startsWith("--"));
  const root = new URL("../../", import.meta.url).href;
  const imported = graphs.flatMap(({ modules }) => modules)
    .map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith(root))
    .map((specifier) => specifier.slice(root.length).split("/")[0]!);
  // Deno itself reads these.
  const expected = new Set([...imported, "deno.lock", "imports.json"]);
  assertEquals(copied.sort(), [...expected].sort());
  const ignore = await Deno.readTextFile(".dockerignore");
  const [all, ...sent] = ignore.trim().split("\n");
  assertEquals([all, ...sent], ["*", ...copied.map((file) => `!${file}`)]);
});

Deno.test("the container and the systemd unit run what deno task start runs", async () => {
  const command = readCommand("start");
  const dockerfile = await Deno.readTextFile("Dockerfile");
  const container = [
    ...JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)![1]!),
    ...JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!),
  ];
  assertEquals(container.filter((word) => word !== "--cached-only"), command);
  const operations = await Deno.readTextFile("docs/operations.md");
  const [, start] = /^ExecStart=([^]+?[^\\])\n/m.exec(operations)!;
  const unit = start!.replaceAll("\\\n", "").split(/\s+/)
    .filter((word) => word !== "--cached-only");
  assertEquals(unit, ["/usr/local/bin/deno", ...command.slice(1)]);
});
