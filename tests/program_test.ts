/** The program as people run it: command line, binary, hosted. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { HELP } from "../lib/arguments.ts";
import { DEFAULT_SETTINGS } from "../lib/settings.ts";
import { checkAnswer } from "./_client.ts";
import { startArguments, startServer } from "./_server.ts";

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
  assertEquals(await run(["--help"]), { code: 0, output: HELP, log: "" });
  const { port, host } = DEFAULT_SETTINGS;
  assert(
    HELP.includes(`(PORT, default ${port})`) &&
      HELP.includes(`(HOST, default ${host})`),
  );
});

Deno.test("wrong usage exits with 2 and one line that says what to type", async (t) => {
  const rows = [
    [
      "--bogus",
      'unknown argument "--bogus", type --help to see those there are\n',
    ],
    ["extra", 'unknown argument "extra", type --help to see those there are\n'],
    ["--port=abc", '--port must be an integer from 0 to 65535, got "abc"\n'],
    ["--port", '--port must be an integer from 0 to 65535, got ""\n'],
    ["--host=", '--host must be an address to listen on, got ""\n'],
  ] as const;
  for (const [argument, log] of rows) {
    await t.step(
      argument,
      async () =>
        assertEquals(await run([argument]), { code: 2, output: "", log }),
    );
  }
});

Deno.test("the command line stands above the environment, and a taken port is named", async () => {
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
  assertMatch(log, /^cannot listen on 192\.0\.2\.1 port 8000: .+\n$/);
});

Deno.test("the service starts with one line that has the address to open", async () => {
  await using server = await startServer();
  assertEquals(server.log(), `listening on ${server.origin}\n`);
});

Deno.test("start:parallel answers like start", async () => {
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
});

Deno.test("a hosted runtime without signals, files or settings gets every endpoint answered", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-net=127.0.0.1",
      "--allow-env=DENO_DEPLOYMENT_ID",
      "tests/_hosted.ts",
    ],
    env: { DENO_DEPLOYMENT_ID: "test", NO_COLOR: "1" },
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  const [, port] = /^listening on http:\/\/localhost:(\d+)\n$/.exec(value!)!;
  const requests = [
    ["/api/base64", { action: "encode", input: "a" }],
    ["/api/hash", { algorithm: "sha1", input: "a" }],
    ["/api/json", { action: "minify", input: "[ ]" }],
    ["/api/uuid"],
    ["/api/password"],
    ["/healthz"],
  ] as const;
  for (const [path, fields] of requests) {
    const init = fields === undefined
      ? {}
      : { method: "POST", body: JSON.stringify(fields) };
    const { status } = await checkAnswer(
      await fetch(`http://127.0.0.1:${port}${path}`, init),
    );
    assertEquals(status, 200);
  }
  for (const path of ["/", "/style.css", "/app.js", "/openapi.json"]) {
    const { status, body } = await fetch(`http://127.0.0.1:${port}${path}`);
    await body?.cancel();
    assertEquals(status, 200);
  }
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
});

Deno.test("a compiled binary carries the code and the page, and nothing else (its runtime part is the deno that runs this test)", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: config.tasks.compile.command.split(" ").slice(1),
    env: { DENORT_BIN: Deno.execPath() },
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const list = new TextDecoder().decode(stdout);
  const entries = [...list.matchAll(/^[├└]─[─┬] (\S+) /gm)].map(([, entry]) =>
    entry!.replace(/\/\*$/, "")
  );
  assertEquals(entries, [
    ".deno_compile_node_modules/localhost/deno-std/1.4.0",
    "deno.json",
    "lib",
    "main.ts",
    "routes",
    "web",
  ]);
  const page = [...list.matchAll(/^ {2}[├└]── (\S+) /gm)].map(([, entry]) =>
    entry
  );
  assertEquals(page, [
    "app.js",
    "boxes.js",
    "call.js",
    "dom.js",
    "index.html",
    "style.css",
    "text.js",
    "tool.js",
    "tools.js",
  ]);
  const [, size] = /^Files: ([\d.]+)MB$/m.exec(list)!;
  assert(Number(size) < 3, `${size} MB are embedded`);
  const name = `devutils-${config.version}-${Deno.build.target}`;
  assertMatch(
    await Deno.readTextFile("dist/SHA256SUMS"),
    new RegExp(`^[0-9a-f]{64}  ${name}(\\.exe)?\\n$`),
  );
});
