/** Failures that the running service survives. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { ignoreClosed } from "../_connection.ts";
import { ENDPOINTS } from "../_endpoints.ts";
import { ask, openMany, post, postHead } from "../guarantees/_exchanges.ts";
import {
  exchange,
  NEEDS_POSIX,
  RawConnection,
  readCommand,
  run,
  runDeno,
  startArguments,
  startOnFreePort,
  startServer,
  testOnLinux,
  testTogether,
} from "../_server.ts";
import { fetchWithin, waitFor, within } from "../_within.ts";

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
}

testOnLinux(
  "the first request to each endpoint is answered although no file can be opened, as all modules are loaded",
  async () => {
    await using server = await startServer();
    using client = await RawConnection.open(server);
    // The connection is accepted.
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
  for (
    const request of [
      "GET /api/uuid HTTP/1.1\r\n",
      `${postHead("/api/hash", 9)}{`,
    ]
  ) {
    using connection = await RawConnection.open(server);
    await connection.send(request);
  }
  const response = await fetchWithin(`${server.origin}/healthz`);
  assertEquals(await response.json(), { status: "ok" });
  assertEquals(server.log(), before);
});

/** Stops a server to whose log nobody listens. */
async function stopUnread(task: "start" | "start:parallel"): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: readCommand(task).slice(1),
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      LOG_REQUESTS: "1",
      // It would make the log wait for its reader if it were true.
      OTEL_DENO: "false",
    },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.stdout.getReader();
  // The line of the address; then nothing is read.
  const { value: line } = await within(
    output.read(),
    "the line of the address",
  );
  const [, port] = /:(\d+)\n$/.exec(new TextDecoder().decode(line))!;
  // The pipe takes 64 KiB, and the stream as much again. A line of these requests has 160
  // bytes, since the log shortens both to 40 characters.
  const url = `http://127.0.0.1:${port}/${"x".repeat(40)}`;
  const method = "X".repeat(40);
  for (let i = 0; i < 60; i += 1) {
    const sending = Array.from(
      { length: 25 },
      () => fetchWithin(url, { method }),
    );
    for (const response of await Promise.all(sending)) {
      await response.body?.cancel();
      assertEquals(response.status, 404);
    }
  }
  child.kill("SIGTERM");
  const { code } = await within(child.status, "the end of the service");
  assertEquals(code, 0);
  await output.cancel();
}

testOnLinux(
  "a log on a full disk neither ends the service nor keeps it from stopping",
  async () => {
    // With OpenTelemetry, the log is written by `console`.
    for (const OTEL_DENO of ["false", "true"]) {
      const { port, child } = await startOnFreePort(async (port) => {
        const args = [...startArguments(), `--port=${port}`];
        const script = 'exec "$@" > /dev/full 2> /dev/full';
        const child = new Deno.Command("sh", {
          args: ["-c", script, "sh", Deno.execPath(), ...args],
          env: { OTEL_DENO, HOST: "127.0.0.1" },
        }).spawn();
        let hasEnded = false;
        child.status.then(() => hasEnded = true);
        await waitFor(() => {
          // It has no place to say so.
          if (hasEnded) throw new Error("the port: perhaps it is taken");
          return exchange({ port }, get("/api/uuid")).then(
            ({ status }) => status === 200,
            () => false,
          );
        });
        return { port, child };
      });
      await exchange({ port }, get("/nowhere"));
      child.kill("SIGTERM");
      // Long after every stop, so that a service that does not stop fails the test.
      const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
      assertEquals((await child.status).code, 0, OTEL_DENO);
      clearTimeout(timer);
    }
  },
);

testOnLinux(
  "a log whose disk was full goes on when there is room again, and counts the lines lost meanwhile",
  async () => {
    await Deno.mkdir("tests/.generated", { recursive: true });
    const log = await Deno.makeTempFile({ dir: "tests/.generated" });
    const script = `trap "" XFSZ; exec "$@" > ${log}`;
    const args = [Deno.execPath(), ...startArguments(), "--host=127.0.0.1"];
    const child = new Deno.Command("sh", {
      args: ["-c", script, "sh", ...args, "--port=0"],
      env: { LOG_REQUESTS: "1" },
    }).spawn();
    const readLog = () => Deno.readTextFile(log);
    // Without a signal, a file that may not grow behaves like one on a full disk.
    const limitFiles = async (bytes: number | "unlimited") => {
      const pid = `--pid=${child.pid}`;
      const { code } = await run([
        "prlimit",
        pid,
        `--fsize=${bytes}:unlimited`,
      ]);
      assertEquals(code, 0);
    };
    await waitFor(async () => /listening on .*\n/.test(await readLog()));
    const port = Number(/:(\d+)/.exec(await readLog())![1]);

    const { length } = await readLog();
    await limitFiles(length + 100);
    for (let i = 0; i < 20; i += 1) await exchange({ port }, get(`/early${i}`));
    await limitFiles("unlimited");
    await exchange({ port }, get("/late"));
    child.kill("SIGTERM");
    const { code } = await within(child.status, "the end of the service");
    assertEquals(code, 0);

    const text = await readLog();
    const written = [...text.matchAll(/^"GET" "\/early\d+" .*\n/gm)].length;
    const lost = [...text.matchAll(/^(\d+) lines? not written\n/gm)]
      .reduce((sum, [, count]) => sum + Number(count), 0);
    // A line that was written at the limit may be counted as well.
    assert(lost > 0 && lost <= 20 && written + lost >= 20, text);
    assertMatch(text, /^"GET" "\/late" 404 /m);
    assertMatch(text, /^stopping on SIGTERM.*\n$/m);
    await Deno.remove(log);
  },
);

testTogether(
  "requests are answered and SIGTERM stops the process although nothing reads its log (needs POSIX)",
  {
    "on one core": () => stopUnread("start"),
    "on all cores": () => stopUnread("start:parallel"),
  },
  NEEDS_POSIX,
);

Deno.test("bodies that come after their 408 leave nothing behind", async () => {
  await using server = await startServer({ BODY_TIMEOUT_MS: "200" });
  const body = '{"algorithm":"sha1","input":"a"'.padEnd(40_000);
  const request = postHead("/api/hash", 40_001) + body;
  const clients = await openMany(server, 4);
  for (const client of clients) await client.send(request);
  for (const client of clients) {
    // 40 KB may take 200 ms and as long as they need at 64 KiB/s.
    assertEquals((await client.receive()).status, 408);
    // The service may have closed the connection.
    await ignoreClosed(client.send("}"));
  }
  assertEquals((await exchange(server, `${request}}`)).status, 200);
  assert(!server.log().includes("rejection"), server.log());
});

Deno.test("an unhandled rejection is logged and does not end the process", async () => {
  const input = `
    import "./main.ts";
    Promise.reject(new Error("first line\\nsecond line"));
    setTimeout(() => Deno.exit(7), 300);
  `;
  const { code, log } = await runDeno(startArguments("-"), {
    input,
    env: { PORT: "0", HOST: "127.0.0.1" },
  });
  assertEquals(code, 7);
  assertMatch(
    log,
    /^unhandled rejection: Error: first line \| second line \| at .+$/m,
  );
});
