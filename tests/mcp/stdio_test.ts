/**
 * The server over standard input and output: lines, the end of the input, the end
 * of the process.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { captureLog, failDecodingOnce } from "../_replace.ts";
import { readCommand, runDeno, testOnPosix } from "../_server.ts";

import {
  callTool,
  INITIALIZE,
  META,
  sendLines,
  serveStdio,
} from "./_client.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const PONG = { jsonrpc: "2.0", id: 1, result: {} };

/** A call with a large result, which is written in several slices. */
const SLOW = callTool("processJson", {
  action: "format",
  input: `[${"0,".repeat(80_000)}0]`,
}, "slow");

/** The error for a request or message that is not valid. */
function refuse(id: unknown, message: string) {
  return { jsonrpc: "2.0", id, error: { code: -32600, message } };
}

function toLines(...messages: unknown[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

/** Runs the task `mcp` with an input that ends. With a limit, it may read `MAX_BODY_BYTES`. */
async function runProcess(input: string, limit?: string) {
  const [, run, ...args] = readCommand("mcp");
  const permission = limit ? ["--allow-env=MAX_BODY_BYTES"] : [];
  const { code, output, log } = await runDeno([run!, ...permission, ...args], {
    input,
    env: limit ? { MAX_BODY_BYTES: limit } : {},
  });
  const answers = output.split("\n").slice(0, -1)
    .map((line) => JSON.parse(line));
  return { code, log, answers };
}

Deno.test("when its input ends, the process answers every call received, then exits with status 0", async () => {
  const { code, log, answers } = await runProcess(
    toLines(INITIALIZE, SLOW, { ...SLOW, id: "slower" }, { ...PING, id: 2 }),
  );
  assertEquals([code, log], [0, ""]);
  assert(answers.every(({ result }) => typeof result === "object"));
  const ids = answers.map(({ id }) => id);
  assertEquals(ids.toSorted(), [2, "initialize", "slow", "slower"]);
  const silent = { code: 0, log: "", answers: [] };
  assertEquals(await runProcess(""), silent);
});

Deno.test("the process rejects messages of 11 MB and of 65 MiB, and continues", async () => {
  const createLarge = (length: number) =>
    callTool("processJson", { input: "x".repeat(length) }, "large");
  const error = "a message must have at most 1048576 bytes";
  assertEquals(
    await runProcess(
      toLines(
        createLarge(11_000_000),
        createLarge(65 * 1024 * 1024),
        // A response, which is not answered.
        { jsonrpc: "2.0", id: 2, result: { text: "x".repeat(2_000_000) } },
        PING,
      ),
    ),
    {
      code: 0,
      log: "",
      // The identifier of the second message is not read.
      answers: [refuse("large", error), refuse(null, error), PONG],
    },
  );
});

Deno.test("the process uses MAX_BODY_BYTES as its limit, if it may read that variable", async () => {
  const longer = { ...PING, id: "longer" };
  const { answers } = await runProcess(toLines(PING, longer), "40");
  const error = refuse("longer", "a message must have at most 40 bytes");
  assertEquals(answers.toSorted((a) => "error" in a ? 1 : -1), [PONG, error]);
  const { code, log } = await runProcess("", "0");
  assertMatch(log, /^MAX_BODY_BYTES must be an integer from 1 to .*\n$/);
  assertEquals(code, 1);
});

Deno.test("a message may have exactly maxMessageBytes bytes, not counting its line feed", async () => {
  const text = JSON.stringify(PING);
  const options = { maxMessageBytes: text.length };
  const error = refuse(1, `a message must have at most ${text.length} bytes`);
  // The last line may have no end.
  for (const end of ["\n", ""]) {
    assertEquals(await sendLines(text + end, options), [PONG]);
    assertEquals(await sendLines(` ${text}${end}`, options), [error]);
  }
});

Deno.test("a session continues after every invalid line", async () => {
  const faulty = [
    "{broken\n",
    "[]\n",
    new Uint8Array([0x22, 0xff, 0x22, 0x0a]),
    "{}\n",
    "null\n",
    `"${"x".repeat(2_000_000)}"\n`,
  ];
  const input = new Blob([toLines(INITIALIZE), ...faulty, toLines(PING)]);
  const answers = await sendLines(input);
  const [initialized, pong] = answers.filter(({ id }) => id !== null);
  assertEquals(initialized.result.protocolVersion, "2025-11-25");
  assertEquals(pong, PONG);
  assertEquals(
    answers.flatMap(({ id, error }) => id === null ? [error.code] : []),
    [-32700, -32600, -32700, -32600, -32600, -32600],
  );
});

Deno.test("notifications, unexpected responses and blank lines get no answer", async () => {
  const lines = toLines(
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "unheard/of" },
    { jsonrpc: "2.0", id: 9, result: {} },
  );
  const ping = `${JSON.stringify(PING)}\r\n`;
  assertEquals(await sendLines(`${lines}\n\r\n \t\n${ping}\n`), [PONG]);
});

Deno.test("a small call is answered before a large one that was sent first", async () => {
  const answers = await sendLines(toLines(SLOW, PING));
  assertEquals(answers.map(({ id }) => id), [1, "slow"]);
});

Deno.test("a request with the identifier of a pending request is rejected", async () => {
  const lines = toLines(
    SLOW,
    callTool("generateUuids", { count: 1 }, "slow"),
    callTool("generateUuids", { count: 101 }, "other"),
  );
  const [rejected, other, slow] = await sendLines(lines);
  // With the identifier, the error would look like the response to the first request.
  const error =
    "a request must not have the identifier of one that is not answered yet";
  assertEquals(rejected, refuse(null, error));
  assertEquals([other.id, other.result.isError], ["other", true]);
  assertEquals([slow.id, slow.result.structuredContent.valid], ["slow", true]);
});

Deno.test("a cancelled call gets no answer, and its identifier may be used again", async () => {
  const lines = toLines(
    SLOW,
    {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "slow" },
    },
    { ...PING, id: "slow" },
  );
  assertEquals(await sendLines(lines), [{ ...PONG, id: "slow" }]);
});

Deno.test("after an unexpected failure the answer is an internal error, and the session continues", async () => {
  using log = captureLog();
  using _ = failDecodingOnce(new RangeError("the secret"));
  assertEquals(await sendLines(toLines(PING, PING)), [{
    jsonrpc: "2.0",
    id: null,
    error: { code: -32603, message: "internal error" },
  }, PONG]);
  assertMatch(log.lines[0]![1], /^unexpected error: RangeError: the secret /);
});

testOnPosix(
  "on SIGTERM or SIGINT the process exits with status 0",
  async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const [, ...args] = readCommand("mcp");
      const child = new Deno.Command(Deno.execPath(), {
        args,
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(toLines(PING)));
      const reader = child.stdout.getReader();
      await reader.read();
      child.kill(signal);
      const { code, signal: killer } = await child.status;
      assertEquals([code, killer], [0, null]);
      await reader.cancel();
      await writer.close().catch(() => {});
    }
  },
);

Deno.test("the process exits with status 0 when its client stops reading", async () => {
  const [, ...args] = readCommand("mcp");
  const child = new Deno.Command(Deno.execPath(), {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const bytes = new TextEncoder().encode(toLines(PING));
  await writer.write(bytes);
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  // The input of the process stays open.
  await writer.write(bytes);
  const errors = await new Response(child.stderr).text();
  assertEquals([(await child.status).code, errors], [0, ""]);
  await writer.close().catch(() => {});
});

Deno.test("a failing input ends the session, and the failure is logged", async () => {
  using log = captureLog();
  const lines = [new TextEncoder().encode(toLines(PING))];
  const input = new ReadableStream<Uint8Array>({
    pull(controller) {
      const line = lines.pop();
      if (line === undefined) controller.error(new Error("it broke"));
      else controller.enqueue(line);
    },
  }, { highWaterMark: 0 });
  assertEquals(await sendLines(input), [PONG]);
  assertEquals(log.lines.length, 1);
  assertMatch(log.lines[0]![1], /^the input failed: Error: it broke /);
});

Deno.test("an invalid member of _meta is an error that names it, in a session of the newest revision", async () => {
  const rows = [
    ["clientCapabilities", 0, "an object, got 0"],
    ["clientCapabilities", undefined, "an object, got nothing"],
    ["clientInfo", { name: 5 }, undefined],
  ] as const;
  const createCall = (id: number, _meta: object) => ({
    ...PING,
    id,
    method: "tools/call",
    params: { name: "generateUuids", _meta },
  });
  const lines = toLines(
    createCall(0, META),
    ...rows.map(([member, value], index) =>
      createCall(index + 1, {
        ...META,
        [`io.modelcontextprotocol/${member}`]: value,
      })
    ),
  );
  const answers = await sendLines(lines);
  assertEquals(answers.length, 1 + rows.length);
  for (const [index, [member, , text]] of rows.entries()) {
    const { error } = answers.find(({ id }) => id === index + 1);
    const expected = text === undefined
      ? '"_meta" must be valid, got an object'
      : `"_meta.io.modelcontextprotocol/${member}" must be ${text}`;
    assertEquals(error, { code: -32602, message: expected });
  }
});

Deno.test("the newest revision needs no handshake, and a subscription is rejected", async () => {
  const params = { _meta: META, notifications: { toolsListChanged: true } };
  const [{ id, error }] = await sendLines(
    toLines({ ...PING, method: "subscriptions/listen", params }),
  );
  assertEquals([id, error.message], [1, "Subscription limit reached"]);
});

Deno.test("calls that run at the same time keep their own arguments", async () => {
  const calls = Array.from({ length: 4 }, (_, id) =>
    callTool(
      "processJson",
      { action: "minify", input: `[${id}]`, indent: 2 },
      id,
    ));
  const answers = await sendLines(toLines(...calls));
  const results = answers.toSorted((a, b) => a.id - b.id)
    .map(({ result }) => result.structuredContent.result);
  assertEquals(results, ["[0]", "[1]", "[2]", "[3]"]);
});

Deno.test("two servers that are connected to each other fall silent after an error", async () => {
  const [there, back] = [
    new TransformStream<Uint8Array, Uint8Array>(),
    new TransformStream<Uint8Array, Uint8Array>(),
  ];
  const first = serveStdio({ input: there.readable, output: back.writable });
  // The second server writes to the first, behind a line that starts the exchange.
  const answers: string[] = [];
  const second = serveStdio({
    input: back.readable,
    output: new WritableStream({
      write: (line) => void answers.push(new TextDecoder().decode(line)),
    }),
  });
  const writer = there.writable.getWriter();
  await writer.write(new TextEncoder().encode(`{}\n${toLines(PING)}`));
  await writer.close();
  await Promise.all([first, second]);
  assertEquals(answers, []);
});
