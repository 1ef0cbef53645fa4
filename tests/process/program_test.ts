/** The program as a process: command line, settings, listening, log, exit status. */

import { assertEquals, assertMatch } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { HELP } from "../../lib/process/arguments.ts";
import {
  startArguments,
  startProcess,
  startServer,
  testOnPosix,
} from "../_server.ts";

/** Ends with status 0 if this machine has IPv6. */
const LISTEN_ON_IPV6 = `Deno.listen({ hostname: "::1", port: 0 }).close()`;

/** Runs the program until it ends by itself. */
async function run(
  args: readonly string[],
  { env = {}, flags = startArguments() }: {
    readonly env?: Record<string, string>;
    readonly flags?: readonly string[];
  } = {},
) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...flags, ...args],
    env,
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), log: decoder.decode(stderr) };
}

Deno.test("--help and --version print and exit with 0, whatever the settings are", async (t) => {
  const rows = [
    ["--version", `${config.version}\n`],
    ["--help", HELP],
    ["mcp --help", HELP],
    ["--version --help", HELP],
  ] as const;
  for (const [args, output] of rows) {
    await t.step(args, async () => {
      const result = await run(args.split(" "), { env: { PORT: "wrong" } });
      assertEquals(result, { code: 0, output, log: "" });
    });
  }
});

Deno.test("a wrong command line exits with 2, a wrong setting with 1, and one line names it", async (t) => {
  const rows = [
    ["--bogus", {}, 2, 'unknown argument "--bogus", type --help for a list'],
    [
      "--port=0",
      { MAX_BODY_BYTES: "1MB" },
      1,
      'MAX_BODY_BYTES must be an integer from 1 to 16777216, got "1MB"',
    ],
    [
      "--port=0",
      { LOG_REQUESTS: "2" },
      1,
      'LOG_REQUESTS must be "true" or "false", got "2"',
    ],
  ] as const;
  for (const [args, env, code, message] of rows) {
    await t.step(message, async () => {
      const result = await run([args], { env });
      assertEquals(result, { code, output: "", log: `${message}\n` });
    });
  }
});

Deno.test("an address that cannot be listened on exits with 1, and one line names the reason", async (t) => {
  await t.step("no permission", async () => {
    assertEquals(await run(["--host=192.0.2.1"]), {
      code: 1,
      output: "",
      log:
        "cannot listen on 192.0.2.1 port 8000: not permitted: listen on 0.0.0.0 for every address of this machine, or run main.ts with --allow-net=192.0.2.1:8000\n",
    });
  });
  await t.step("an address of another machine", async () => {
    const flags = ["run", "--no-prompt", "--allow-net", "--allow-env"];
    const { code, log } = await run(["--host=192.0.2.1"], {
      flags: [...flags, "main.ts"],
    });
    assertEquals(code, 1);
    assertMatch(log, /^cannot listen on 192\.0\.2\.1 port 8000: .+\n$/);
  });
});

Deno.test("the command line takes precedence over the environment, and a port in use is named", async () => {
  await using server = await startServer();
  const result = await run(["--host=127.0.0.1", `--port=${server.port}`], {
    env: { PORT: "0", HOST: "::1" },
  });
  assertEquals(result, {
    code: 1,
    output: "",
    log: `port ${server.port} is taken: choose another with --port or PORT\n`,
  });
});

Deno.test("the service logs one line when it listens, with the URL to open in a browser", async (t) => {
  const probe = await run([], { flags: ["eval", LISTEN_ON_IPV6] });
  const rows = [
    ["127.0.0.1", "127.0.0.1"],
    ["localhost", "localhost"],
    ["0.0.0.0", "localhost"],
    ["::", "localhost"],
    ["::1", "[::1]"],
    ["[::1]", "[::1]"],
  ] as const;
  for (const [host, authority] of rows) {
    await t.step({
      name: host,
      ignore: host.includes(":") && probe.code !== 0,
      async fn() {
        await using server = await startServer({ HOST: host });
        const url = `http://${authority}:${server.port}`;
        assertEquals(server.log(), `listening on ${url}\n`);
      },
    });
  }
});

Deno.test("mcp serves an agent over standard input and output, with the permissions of start", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...startArguments(), "mcp"],
    // The settings of the server do not matter.
    env: { PORT: "wrong" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  await writer.write(new TextEncoder().encode(message));
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals(JSON.parse((await lines.read()).value!), {
    jsonrpc: "2.0",
    id: 1,
    result: {},
  });
  await writer.close();
  assertEquals(await new Response(child.stderr).text(), "");
  assertEquals((await child.status).code, 0);
  await lines.cancel();
});

testOnPosix("OpenTelemetry gets each event with its level", async () => {
  const args = startArguments().filter((word) =>
    !word.startsWith("--allow-env")
  );
  await using server = await startProcess(
    [Deno.execPath(), ...args, "--port=0", "--host=127.0.0.1"],
    { OTEL_DENO: "true", OTEL_EXPORTER_OTLP_PROTOCOL: "console" },
  );
  const response = await fetch(`${server.origin}/healthz`);
  await response.body?.cancel();
  server.kill("SIGTERM");
  await server.status;
  assertMatch(server.log(), /^LOG \[INFO\] \S+ "listening on /m);
  assertMatch(server.log(), /^LOG \[WARN\] \S+ "may not read /m);
});
