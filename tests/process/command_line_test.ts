/** The program as a process: its command line, addresses, and exit status. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { MCP, SERVE } from "../../lib/process/settings.ts";
import {
  run,
  runDeno,
  startArguments,
  startOnFreePort,
  startProcess,
  startServer,
  testOnLinux,
  testOnPosix,
} from "../_server.ts";

/** Runs the program with the permissions of `start` until it exits. */
function runProgram(args: string, env: Record<string, string> = {}) {
  return runDeno([...startArguments(), ...args.split(" ")], { env });
}

Deno.test("--help and --version exit with status 0, even if a setting is invalid", async (t) => {
  const rows = [
    ["--version", `${config.version}\n`],
    ["--port=1 -h", SERVE.help],
    ["mcp --help", MCP.help],
  ] as const;
  for (const [args, output] of rows) {
    await t.step(args, async () => {
      const result = await runProgram(args, { PORT: "invalid" });
      assertEquals(result, { code: 0, output, log: "" });
    });
  }
});

Deno.test("an invalid command line exits with status 2, an invalid address with status 1, and one line names it", async (t) => {
  await using server = await startServer();
  const { port } = server;
  const rows = [
    ["--port=1 mcp", 2, 'unexpected argument "mcp", see --help for a list'],
    [
      `--host=127.0.0.1 --port=${port}`,
      1,
      `cannot listen on 127.0.0.1 port ${port}: the port is in use, choose another with --port or PORT`,
    ],
  ] as const;
  for (const [args, code, message] of rows) {
    await t.step(`${args}: ${message}`, async () => {
      const result = await runProgram(args, { PORT: "0", HOST: "::1" });
      assertEquals(result, { code, output: "", log: `${message}\n` });
    });
  }
  const all = "run --no-prompt --allow-net --allow-env main.ts".split(" ");
  const hosts = [
    ["a name that Conda exports", startArguments(), "x86_64-conda-linux-gnu"],
    ["an address of another computer", all, "192.0.2.1"],
  ] as const;
  for (const [name, args, HOST] of hosts) {
    await t.step(name, async () => {
      const { code, log } = await runDeno(args, { env: { HOST } });
      assertEquals(code, 1);
      const start = `cannot listen on ${HOST} port 8000: HOST or --host must`;
      assertStringIncludes(log, `${start} be an address of this host that `);
      assertMatch(log, /^[^\n]+\n$/);
    });
  }
});

Deno.test("the service logs one line when it listens, with the URL to open in a browser", async (t) => {
  const probe = 'Deno.listen({ hostname: "::1", port: 0 }).close()';
  const hasIpv6 = (await runDeno(["eval", probe])).code === 0;
  const rows = [
    ["0.0.0.0", "localhost"],
    ["::", "localhost"],
    ["[::1]", "[::1]"],
  ] as const;
  for (const [host, authority] of rows) {
    await t.step({
      name: host.includes(":") ? `${host} (needs IPv6)` : host,
      ignore: host.includes(":") && !hasIpv6,
      async fn() {
        await using server = await startServer({ HOST: host });
        const url = `http://${authority}:${server.port}`;
        assertEquals(server.log(), `listening on ${url}\n`);
      },
    });
  }
});

testOnPosix("a variable that is not UTF-8 is named in one line", async () => {
  const args = ["run", "--no-prompt", "--allow-env", "main.ts"];
  const script = `MAX_BODY_BYTES=$(printf '\\377') exec "$@"`;
  const result = await run(
    ["sh", "-c", script, "sh", Deno.execPath(), ...args],
  );
  const log = "MAX_BODY_BYTES must be valid UTF-8\n";
  assertEquals(result, { code: 1, output: "", log });
});

testOnLinux(
  "the container's health check follows the port and host, and fails if no server responds",
  async () => {
    async function check(pid: number, env: Record<string, string>) {
      const { code } = await run(
        ["bash", "tools/healthy.sh", `/proc/${pid}/cmdline`],
        { env: { http_proxy: "http://127.0.0.1:1", ...env } },
      );
      return code === 0;
    }
    const command = [Deno.execPath(), ...startArguments()];
    const other = { PORT: "1", HOST: "::1" };
    const rows = [
      [["--port", "N", "--host=127.0.0.1"], other],
      [["--port=N", "--host", "127.0.0.1"], other],
      [[], { PORT: "N", HOST: "127.0.0.1" }],
    ] as const;
    for (const [args, env] of rows) {
      let settings = {};
      await using server = await startOnFreePort((port) => {
        settings = { ...env, PORT: env.PORT.replace("N", `${port}`) };
        const words = args.map((word) => word.replace("N", `${port}`));
        return startProcess([...command, ...words], settings);
      });
      assert(await check(server.pid, settings));
      server.kill("SIGKILL");
      await server.status;
      assert(!await check(Deno.pid, { ...settings, PORT: `${server.port}` }));
    }
  },
);
