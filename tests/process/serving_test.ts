/** The lock file, the container and the systemd unit match the program. */

import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import {
  findFreePort,
  readCommand,
  run,
  runDeno,
  startArguments,
  startProcess,
} from "../_server.ts";

const INFO = ["info", "--json", "--lock=deno.lock", "--frozen"];

interface Graph {
  readonly modules: readonly { readonly specifier: string }[];
  readonly npmPackages?: Readonly<Record<string, unknown>>;
}

const { modules, npmPackages = {} }: Graph = JSON.parse(
  (await runDeno([...INFO, "main.ts"])).output,
);

Deno.test("deno.lock has the packages that the service imports, and no development packages", async () => {
  const { npm = {} } = JSON.parse(await Deno.readTextFile("deno.lock"));
  assertEquals(Object.keys(npm).sort(), Object.keys(npmPackages).sort());
});

Deno.test("the imports in deno.json, which every task downloads, are those of deno.lock", async () => {
  const { specifiers } = JSON.parse(await Deno.readTextFile("deno.lock"));
  const imported = Object.values(config.imports)
    .map((specifier) => /^[^:]+:@?[^@]+@[^/]+/.exec(specifier)![0]);
  assertEquals(Object.keys(specifiers).sort(), [...new Set(imported)].sort());
});

Deno.test("the Dockerfile copies only the files and folders that the service imports", async () => {
  const dockerfile = await Deno.readTextFile("Dockerfile");
  const copied = [...dockerfile.matchAll(/^COPY ((?:\S+ )+)\S+$/gm)]
    .flatMap(([, files]) => files!.trim().split(" "))
    .filter((file) => !file.startsWith("--"));
  const root = new URL("../../", import.meta.url).href;
  const imported = modules.map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith(root))
    .map((specifier) => specifier.slice(root.length).split("/")[0]!);
  // Deno reads the first; the other is the health check.
  const unimported = ["deno.lock", "tools/healthy.sh"];
  const expected = new Set([...imported, ...unimported]);
  assertEquals(copied.sort(), [...expected].sort());
  const ignore = await Deno.readTextFile(".dockerignore");
  const [all, ...lines] = ignore.trim().split("\n");
  assertEquals(all, "*");
  assertEquals(lines.sort(), [
    ...copied.map((file) => `!${file}`),
    "web/screenshot.png",
  ]);
});

Deno.test("the container and the systemd unit run the command of deno task start", async () => {
  const command = readCommand("start");
  const dockerfile = await Deno.readTextFile("Dockerfile");
  // There is no CMD: arguments of `docker run` are arguments of the program.
  assert(!/^CMD /m.test(dockerfile));
  const container: string[] = JSON.parse(
    /^ENTRYPOINT (.+)$/m.exec(dockerfile)![1]!,
  );
  assertEquals(container.filter((word) => word !== "--cached-only"), command);
  const service = await Deno.readTextFile("docs/deploy/devutils.service");
  const [, start] = /^ExecStart=([^]+?[^\\])\n/m.exec(service)!;
  const unit = start!.replaceAll("\\\n", "").split(/\s+/)
    .filter((word) => word !== "--cached-only");
  assertEquals(unit, ["/usr/local/bin/deno", ...command.slice(1)]);
});

Deno.test({
  name:
    "the container's health check follows the port and host, and fails if no server answers (needs Linux)",
  ignore: Deno.build.os !== "linux",
  async fn() {
    async function check(pid: number, env: Record<string, string> = {}) {
      const { code } = await run(
        ["bash", "tools/healthy.sh", `/proc/${pid}/cmdline`],
        { env: { http_proxy: "http://127.0.0.1:1", ...env } },
      );
      return code === 0;
    }
    const port = findFreePort();
    const command = [Deno.execPath(), ...startArguments()];
    for (
      const [args, env] of [
        [["--port", `${port}`, "--host=127.0.0.1"], {}],
        [[`--port=${port}`, "--host", "127.0.0.1"], { PORT: "1", HOST: "::1" }],
        [[], { PORT: `${port}`, HOST: "127.0.0.1" }],
      ] as const
    ) {
      await using server = await startProcess([...command, ...args], env);
      assert(await check(server.pid, env));
      server.kill("SIGKILL");
      await server.status;
      assert(!await check(Deno.pid, { PORT: `${port}` }));
    }
  },
});
