/** Failures that the service survives, and its log. */

import { setTimeout as delay } from "node:timers/promises";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ENDPOINTS } from "../_endpoints.ts";
import { ask, post, postHead } from "../guarantees/_exchanges.ts";
import {
  exchange,
  RawConnection,
  run,
  runDeno,
  startArguments,
  startOnFreePort,
  startServer,
  testOnLinux,
  testOnPosix,
  testTogether,
} from "../_server.ts";
import { fetchStatus, waitFor, within } from "../_within.ts";

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
}

testOnLinux(
  "the first request to each endpoint succeeds although no file can be opened",
  async () => {
    await using server = await startServer();
    using client = await RawConnection.open(server);
    assertEquals(await ask(client, get("/healthz")), 200);
    const limit = ["prlimit", `--pid=${server.pid}`, "--nofile=3:3"];
    assertEquals((await run(limit)).code, 0);
    for (const { path, fields, part } of ENDPOINTS) {
      const request = fields === undefined ? get(path) : post(path, fields);
      await client.send(request);
      const { status, body } = await client.receive();
      assertEquals([path, status], [path, 200]);
      assertStringIncludes(body, part);
    }
  },
);

Deno.test("an unfinished request of a client that disconnects is not logged", async () => {
  await using server = await startServer();
  const before = server.log();
  const head = "GET /api/uuid HTTP/1.1\r\n";
  for (const request of [head, `${postHead("/api/hash", 9)}{`]) {
    using connection = await RawConnection.open(server);
    await connection.send(request);
  }
  assertEquals(await fetchStatus(`${server.origin}/healthz`), 200);
  assertEquals(server.log(), before);
});

/** Starts the service with a log that cannot be written, and shuts the service down. */
async function shutDownWithoutLog(redirection: string): Promise<void> {
  const child = await startOnFreePort(async (port) => {
    const command = [Deno.execPath(), ...startArguments(), `--port=${port}`];
    const child = new Deno.Command("bash", {
      args: ["-c", `exec "$@" ${redirection}`, "bash", ...command],
      env: { HOST: "127.0.0.1", LOG_REQUESTS: "1" },
    }).spawn();
    let hasEnded = false;
    child.status.then(() => hasEnded = true);
    await waitFor(() => {
      // It cannot report why.
      if (hasEnded) throw new Error("possibly, the port is in use");
      return exchange({ port }, get("/api/uuid")).then(
        ({ status }) => status === 200,
        () => false,
      );
    });
    return child;
  });
  child.kill("SIGTERM");
  const { code } = await within(child.status, "the end of the service");
  assertEquals(code, 0);
}

testTogether(
  "a service whose log cannot be written serves and shuts down (needs Linux)",
  {
    "on a full disk": () => shutDownWithoutLog("> /dev/full 2>&1"),
    "in a closed pipe": () => shutDownWithoutLog("> >(true) 2>&1"),
  },
  { ignore: Deno.build.os !== "linux" },
);

testOnPosix(
  "if the log is not read for a while, no line and no request is lost",
  async () => {
    const child = new Deno.Command(Deno.execPath(), {
      args: startArguments(),
      env: { PORT: "0", HOST: "127.0.0.1", LOG_REQUESTS: "1" },
      stdout: "piped",
    }).spawn();
    const output = child.stdout.getReader();
    const { value } = await within(output.read(), "the line of the address");
    const [, port] = /:(\d+)\n$/.exec(new TextDecoder().decode(value))!;
    // The pipe has space for 64 KiB, and the stream for as much again. A line of these
    // requests has about 160 bytes, because both names are shortened to 40 characters.
    const url = `http://127.0.0.1:${port}/${"x".repeat(40)}`;
    async function send(): Promise<void> {
      for (let i = 0; i < 60; i += 1) {
        assertEquals(await fetchStatus(url, { method: "X".repeat(40) }), 404);
      }
    }
    const sending = Promise.all(Array.from({ length: 25 }, send));
    await delay(1_000);
    output.releaseLock();
    const reading = Array.fromAsync(
      child.stdout.pipeThrough(new TextDecoderStream()),
    );
    await sending;
    child.kill("SIGTERM");
    const { code } = await within(child.status, "the end of the service");
    assertEquals(code, 0);
    const lines = (await reading).join("").trimEnd().split("\n");
    assertEquals([lines.length, lines.at(-1)], [
      1_501,
      "shutting down on SIGTERM",
    ]);
  },
);

testOnPosix(
  "events, warnings, and unhandled rejections are lines of the log, which OpenTelemetry gets with their levels",
  async () => {
    const input = `
      import "./main.ts";
      Promise.reject(new Error("first line\\nsecond line"));
      setTimeout(() => Deno.exit(7), 300);
    `;
    const args = startArguments("-")
      .filter((word) => !word.startsWith("--allow-env"));
    const { code, output, log } = await runDeno(
      [...args, "--port=0", "--host=127.0.0.1"],
      {
        input,
        env: { OTEL_DENO: "true", OTEL_EXPORTER_OTLP_PROTOCOL: "console" },
      },
    );
    assertEquals(code, 7, "the rejection does not end the process");
    const lines = `${output}${log}`;
    const events = {
      INFO: "listening on ",
      WARN: "cannot read ",
      ERROR: "unhandled rejection: Error: first line \\| second line \\| at ",
    };
    for (const [level, start] of Object.entries(events)) {
      assertMatch(lines, RegExp(`^${start}`, "m"));
      assertMatch(lines, RegExp(`^LOG \\[${level}\\].*"${start}`, "m"));
    }
  },
);
