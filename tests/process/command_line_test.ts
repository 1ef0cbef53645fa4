/** The program as a process: command line, settings, listening, log, exit status. */

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
  startWithoutSettings,
  testOnPosix,
} from "../_server.ts";
import { fetchWithin } from "../_within.ts";

/** Runs the program with the permissions of `start`, until it ends by itself. */
function runProgram(args: string, env: Record<string, string> = {}) {
  return runDeno([...startArguments(), ...args.split(" ")], { env });
}

Deno.test("--help and --version print and exit with 0, whatever the settings are", async (t) => {
  const rows = [
    ["--version", `${config.version}\n`],
    ["serve --help", SERVE.help],
    ["--port=1 -h", SERVE.help],
    ["mcp --help", MCP.help],
  ] as const;
  for (const [args, output] of rows) {
    await t.step(args, async () => {
      const result = await runProgram(args, { PORT: "wrong" });
      assertEquals(result, { code: 0, output, log: "" });
    });
  }
});

Deno.test("a wrong command line exits with 2, a wrong setting or address with 1, and one line names it", async (t) => {
  await using server = await startServer();
  const { port } = server;
  const rows: readonly [string, Record<string, string>, number, string][] = [
    ["--port=1 mcp", {}, 2, 'unexpected argument "mcp", see --help for a list'],
    ["mcp --port=1", {}, 2, 'unknown option "--port", see --help for a list'],
    ["-- --bogus", {}, 2, 'unknown option "--bogus", see --help for a list'],
    [
      "--port=0",
      { LOG_REQUESTS: "2" },
      1,
      'LOG_REQUESTS must be true or false, got "2"',
    ],
    // The command line takes precedence over the environment.
    [
      `--host=127.0.0.1 --port=${port}`,
      { PORT: "0", HOST: "::1" },
      1,
      `cannot listen on 127.0.0.1 port ${port}: the port is in use, choose another with --port or PORT`,
    ],
  ];
  for (const [args, env, code, message] of rows) {
    await t.step(`${args}: ${message}`, async () => {
      const result = await runProgram(args, env);
      assertEquals(result, { code, output: "", log: `${message}\n` });
    });
  }
  const permitted = startArguments();
  const all = "run --no-prompt --allow-net --allow-env main.ts".split(" ");
  const hosts = [
    ["an address that --allow-net does not permit", permitted, "192.0.2.1"],
    ["a name that Conda exports", permitted, "x86_64-conda-linux-gnu"],
    ["an address of another computer", all, "192.0.2.1"],
    ["an address with a port", all, "localhost:8000"],
    ["a URL", all, "http://localhost"],
    ["a star", all, "*"],
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
    ["localhost", "localhost"],
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
  for (const command of ["main.ts", "main.ts mcp"]) {
    const args = ["run", "--no-prompt", "--allow-env", ...command.split(" ")];
    const script = `MAX_BODY_BYTES=$(printf '\\377') exec "$@"`;
    const { code, output, log } = await run(
      ["sh", "-c", script, "sh", Deno.execPath(), ...args],
    );
    assertEquals([code, output], [1, ""]);
    assertEquals(log, "MAX_BODY_BYTES must be UTF-8 text\n");
  }
});

testOnPosix("OpenTelemetry gets each event with its level", async () => {
  await using server = await startWithoutSettings({
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_PROTOCOL: "console",
  });
  const response = await fetchWithin(`${server.origin}/healthz`);
  await response.body?.cancel();
  server.kill("SIGTERM");
  await server.status;
  assertMatch(server.log(), /^LOG \[INFO\] \S+ "listening on /m);
  assertMatch(server.log(), /^LOG \[WARN\] \S+ "cannot read /m);
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
    const command = [Deno.execPath(), ...startArguments()];
    const local = { HOST: "127.0.0.1" };
    for (
      const [createArgs, createEnv] of [
        [(port: string) => ["--port", port, "--host=127.0.0.1"], () => ({})],
        [
          (port: string) => [`--port=${port}`, "--host", "127.0.0.1"],
          () => ({ PORT: "1", HOST: "::1" }),
        ],
        [() => [], (PORT: string) => ({ PORT, ...local })],
      ] as const
    ) {
      await using server = await startOnFreePort((port) => {
        const args = createArgs(`${port}`);
        return startProcess([...command, ...args], createEnv(`${port}`));
      });
      const port = `${server.port}`;
      assert(await check(server.pid, createEnv(port)));
      server.kill("SIGKILL");
      await server.status;
      assert(!await check(Deno.pid, { PORT: port }));
    }
  },
});
