/** The program as people run it: command line, binary, hosted. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { DEFAULT_SETTINGS } from "../../lib/process/settings.ts";
import { nameBinary, writeSums } from "../../tools/compile.ts";
import { checkAnswer } from "../_client.ts";
import {
  readCommand,
  startArguments,
  startProcess,
  startServer,
  testOnPosix,
  waitFor,
} from "../_server.ts";

/** Runs the program until it ends by itself. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...startArguments(), ...args],
    env,
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout), log: decoder.decode(stderr) };
}

Deno.test("--version prints the version of deno.json", async () => {
  assertEquals(await run(["--version"]), {
    code: 0,
    output: `${config.version}\n`,
    log: "",
  });
});

Deno.test("--help prints how to call the program, with the defaults", async () => {
  const { code, output, log } = await run(["--help"]);
  assertEquals({ code, log }, { code: 0, log: "" });
  const { port, host } = DEFAULT_SETTINGS;
  assertMatch(output, /^Developer Utilities Service: .+\n\nUsage: devutils /);
  assertStringIncludes(output, `(PORT, default ${port})`);
  assertStringIncludes(output, `(HOST, default ${host})`);
});

Deno.test("wrong usage exits with 2 and one line that says what to type", async (t) => {
  const rows = [
    [
      "--bogus",
      'unknown argument "--bogus", type --help for a list\n',
    ],
    ["--port=1 --port=2", '--port must be given once, got "1" and "2"\n'],
  ] as const;
  for (const [args, log] of rows) {
    await t.step(args, async () => {
      const result = await run(args.split(" "));
      assertEquals(result, { code: 2, output: "", log });
    });
  }
});

Deno.test("the command line wins over the environment, and a taken port is named", async () => {
  await using server = await startServer();
  const result = await run(["--host=127.0.0.1", `--port=${server.port}`], {
    PORT: "0",
    HOST: "::1",
  });
  assertEquals(result, {
    code: 1,
    output: "",
    log: `port ${server.port} is taken: choose another with --port or PORT\n`,
  });
});

Deno.test("an address that cannot be listened on is named", async () => {
  const { code, log } = await run(["--host=192.0.2.1"]);
  assertEquals(code, 1);
  assertEquals(
    log,
    "cannot listen on 192.0.2.1 port 8000: not permitted: listen on 0.0.0.0 for every address of this machine, or run main.ts with --allow-net=192.0.2.1:8000\n",
  );
});

Deno.test("a setting that the program may not read is named", async () => {
  const args = startArguments().filter((word) =>
    !word.startsWith("--allow-env")
  );
  await using server = await startProcess(
    [Deno.execPath(), ...args, "--port=0", "--host=127.0.0.1"],
  );
  const names = "MAX_BODY_BYTES,BODY_TIMEOUT_MS,LOG_REQUESTS";
  // Warnings come on another stream than the address.
  await waitFor(() => /^may not read .+\n/m.test(server.log()));
  assertStringIncludes(
    server.log(),
    `may not read ${names}: permit it with --allow-env=${names}\n`,
  );
});

Deno.test("the service starts with one line that has the address to open", async () => {
  await using server = await startServer();
  assertEquals(server.log(), `listening on ${server.origin}\n`);
});

testOnPosix("OpenTelemetry gets each event with its level", async () => {
  const args = startArguments().filter((word) =>
    !word.startsWith("--allow-env")
  );
  await using server = await startProcess(
    [Deno.execPath(), ...args, "--port=0", "--host=127.0.0.1"],
    { OTEL_DENO: "true", OTEL_EXPORTER_OTLP_PROTOCOL: "console" },
  );
  await fetch(`${server.origin}/healthz`).then((response) =>
    response.body?.cancel()
  );
  server.kill("SIGTERM");
  await server.status;
  assertMatch(server.log(), /^LOG \[INFO\] \S+ "listening on /m);
  assertMatch(server.log(), /^LOG \[WARN\] \S+ "may not read /m);
});

Deno.test("start:parallel answers like start, and says once that it listens", async () => {
  await using server = await startServer({}, { isParallel: true });
  const answers = Array.from({ length: 20 }, async () => {
    const body = '{"action":"encode","input":"a"}';
    const response = await fetch(`${server.origin}/api/base64`, {
      method: "POST",
      body,
    });
    return (await checkAnswer(response)).body;
  });
  for (const answer of await Promise.all(answers)) {
    assertEquals(answer, { result: "YQ==" });
  }
  // Each thread loads the package by itself.
  const pings = Array.from({ length: 20 }, async () => {
    const response = await fetch(`${server.origin}/mcp`, {
      method: "POST",
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    return (await checkAnswer(response)).body;
  });
  for (const answer of await Promise.all(pings)) {
    assertEquals(answer, { jsonrpc: "2.0", id: 1, result: {} });
  }
  assertEquals(server.log(), `listening on ${server.origin}\n`);
});

Deno.test("mcp speaks to an agent over standard input and output, with the permissions of start", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...startArguments(), "mcp"],
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

Deno.test("a hosted runtime that chooses the port and permits no files or settings gets every endpoint answered", async () => {
  await using server = await startProcess([
    Deno.execPath(),
    "run",
    "--no-prompt",
    "--allow-net=127.0.0.1",
    "tests/process/_hosted.ts",
  ]);
  const requests = [
    ["/api/base64", { action: "encode", input: "a" }],
    ["/api/hash", { algorithm: "sha1", input: "a" }],
    ["/api/json", { action: "minify", input: "[ ]" }],
    ["/api/uuid"],
    ["/api/password"],
    ["/healthz"],
    ["/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
  ] as const;
  for (const [path, fields] of requests) {
    const init = fields === undefined
      ? {}
      : { method: "POST", body: JSON.stringify(fields) };
    const { status } = await checkAnswer(
      await fetch(`${server.origin}${path}`, init),
    );
    assertEquals(status, 200);
  }
  for (const path of ["/", "/style.css", "/app.js", "/openapi.json"]) {
    const { status, body } = await fetch(`${server.origin}${path}`);
    await body?.cancel();
    assertEquals(status, 200);
  }
});

const COMPILED = "tests/.generated/compiled";

Deno.test("a compiled binary carries the code and the page and nothing else, and does not count where its runtime is no denort", async () => {
  const [command, ...args] = readCommand("compile");
  assertEquals(command, "deno");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...args.map((word) => word.replace("=dist", `=${COMPILED}`)),
      `--into=${COMPILED}`,
    ],
    env: { DENORT_BIN: Deno.execPath(), NO_COLOR: "1" },
  }).output();
  const list = new TextDecoder().decode(stdout);
  const complaints = new TextDecoder().decode(stderr);
  assertEquals(code, 1, complaints);
  const name = nameBinary(Deno.build.target);
  assertStringIncludes(complaints, `${name} does not serve, and is removed`);
  assertEquals([...Deno.readDirSync(COMPILED)], []);
  const entries = [...`${list}${complaints}`.matchAll(/^[├└]─[─┬] (\S+) /gm)]
    .map((
      [, entry],
    ) => entry!.replace(/\/\*$/, ""));
  // The standard library is in a folder of its own where it comes from npm.
  assertEquals(entries.filter((entry) => !entry.startsWith(".")), [
    "deno.json",
    "lib",
    "main.ts",
    "mcp.ts",
    "routes",
    "web",
  ]);
  const page = [...`${list}${complaints}`.matchAll(/^ {2}[├└]── (\S+) /gm)].map(
    (
      [, entry],
    ) => entry,
  );
  assertEquals(page, [
    "app.js",
    "call.js",
    "caret.js",
    "dom.js",
    "editor.css",
    "editor.js",
    "foot.js",
    "form.js",
    "index.html",
    "marks.js",
    "memory.js",
    "message.js",
    "style.css",
    "suggest.js",
    "text.js",
    "tool.js",
    "tools.js",
    "vendor/codemirror.js",
    "views.js",
  ]);
  const packages = [
    ...`${list}${complaints}`.matchAll(
      /^│ {3}(?:│ )?[├└]─[─┬] ([^/\s]+)\S* /gm,
    ),
  ].map(([, name]) => name).filter((name) => name !== "deno-std");
  assertEquals(packages, ["@modelcontextprotocol", "core", "server", "zod"]);
  const [, size] = /^Files: ([\d.]+)MB$/m.exec(`${list}${complaints}`)!;
  assert(Number(size) < 17, `${size} MB are embedded`);
});

Deno.test("compile explains a failure by the network only where it is the network", async (t) => {
  async function compile(args: string[], env: Record<string, string>) {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        `--allow-read=${COMPILED}`,
        `--allow-write=${COMPILED}`,
        "--allow-run",
        "tools/compile.ts",
        `--into=${COMPILED}`,
        ...args,
      ],
      env: { NO_COLOR: "1", ...env },
    }).output();
    return { code, log: new TextDecoder().decode(stderr) };
  }
  await t.step("a runtime that is not there", async () => {
    const { code, log } = await compile([], { DENORT_BIN: "/nowhere/denort" });
    assertEquals(code, 1);
    assertMatch(log, /^error: /m);
    assertStringIncludes(log, "set DENORT_BIN to a denort of that target");
  });
  await t.step("an unknown argument", async () => {
    const { code, log } = await compile(["--bogus"], {});
    assertEquals(code, 1);
    assertStringIncludes(log, "--bogus");
    assert(!log.includes("DENORT_BIN"));
  });
});

Deno.test("writeSums() writes what sha256sum --check reads", async () => {
  const folder = await Deno.makeTempDir({ dir: "tests/.generated" });
  await Deno.writeTextFile(`${folder}/a`, "abc");
  await writeSums(folder, ["a"]);
  assertEquals(
    await Deno.readTextFile(`${folder}/SHA256SUMS`),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n",
  );
  await Deno.remove(folder, { recursive: true });
});
