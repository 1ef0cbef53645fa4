import { assertEquals, assertMatch } from "@std/assert";
import { checkAnswer } from "../_client.ts";
import {
  readCommand,
  runDeno,
  startServer,
  testOnLinux,
  testOnPosix,
} from "../_server.ts";
import { fetchWithin, waitFor } from "../_within.ts";

Deno.test("every thread of start:parallel answers with the same settings", async () => {
  const variables = { MAX_BODY_BYTES: "100" };
  await using server = await startServer(variables, { isParallel: true });
  const exchanges = [
    ["/api/base64", '{"action":"encode","input":"a"}', { result: "YQ==" }],
    ["/api/base64", " ".repeat(101), {
      error: "the body must be at most 100 bytes",
    }],
  ] as const;
  for (const [path, body, expected] of exchanges) {
    // Enough connections at a time that every thread gets one.
    await Promise.all(Array.from({ length: 20 }, async () => {
      const init = { method: "POST", body };
      const response = await fetchWithin(`${server.origin}${path}`, init);
      assertEquals((await checkAnswer(response)).body, expected);
    }));
  }
  assertEquals(server.log(), `listening on ${server.origin}\n`);
});

testOnLinux("start:parallel has a listener for each core", async () => {
  await using server = await startServer({}, { isParallel: true });
  // Columns: number, local address, remote address, state; 0A is a listener.
  const port = server.port.toString(16).toUpperCase().padStart(4, "0");
  const listener = new RegExp(`^ *\\d+: 0100007F:${port} \\S+ 0A `, "gm");
  function countListeners(): number {
    const { stdout } = new Deno.Command("cat", {
      args: [`/proc/${server.pid}/net/tcp`],
    }).outputSync();
    return new TextDecoder().decode(stdout).match(listener)?.length ?? 0;
  }
  // The workers listen a moment after the main thread.
  await waitFor(() => countListeners() >= navigator.hardwareConcurrency);
  assertEquals(countListeners(), navigator.hardwareConcurrency);
});

testOnPosix("a second start:parallel says that the port is taken", async () => {
  await using server = await startServer({}, { isParallel: true });
  const env = { HOST: "127.0.0.1", PORT: String(server.port) };
  const command = readCommand("start:parallel").slice(1);
  assertEquals(await runDeno(command, { env }), {
    code: 1,
    output: "",
    log:
      `cannot listen on 127.0.0.1 port ${server.port}: the port is in use, choose another with --port or PORT\n`,
  });
});

Deno.test("a worker that fails to load or to listen ends the process with its error and status 1", async () => {
  const command = [
    "run",
    "--lock=tests/deno.lock",
    "--no-prompt",
    "--allow-net=127.0.0.1",
    "--allow-env",
    "--allow-read=.",
    "tests/process/_failing_worker.ts",
  ];
  for (
    const [args, message] of [
      [[], /^error: .*no memory$/m],
      [
        ["listen"],
        /^error: .*cannot listen on 127\.0\.0\.1 port \d+: the port is in use/m,
      ],
    ] as const
  ) {
    const { code, output, log } = await runDeno([...command, ...args]);
    assertEquals([code, output], [1, ""]);
    assertMatch(log, message);
  }
});
