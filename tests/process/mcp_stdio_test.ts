/** The MCP server through standard input and output: its lines, limits, and exit. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readCommand, runDeno, spawn, testOnPosix } from "../_server.ts";
import { within } from "../_within.ts";
import { callTool, sendLines } from "../mcp/_agent.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const PONG = { jsonrpc: "2.0", id: 1, result: {} };

/** A call with a large result. */
const SLOW = callTool("processJson", {
  action: "format",
  input: `[${"0,".repeat(80_000)}0]`,
}, "slow");

/** The error for an invalid request. */
function createError(id: unknown, message: string) {
  return { jsonrpc: "2.0", id, error: { code: -32600, message } };
}

function toLines(...messages: unknown[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

/** Runs the task `mcp` with an input that ends. `limit` is the value of `MAX_BODY_BYTES`. */
async function runProcess(input: string, limit?: string) {
  const [, run, ...args] = readCommand("mcp");
  const permission = limit ? ["--allow-env=MAX_BODY_BYTES"] : [];
  const { code, output, log } = await runDeno([run!, ...permission, ...args], {
    input,
    env: limit ? { MAX_BODY_BYTES: limit } : {},
  });
  const responses = output.split("\n").slice(0, -1)
    .map((line) => JSON.parse(line));
  return { code, log, responses };
}

Deno.test("when its input ends, the process responds to every call, then exits with status 0", async () => {
  const { code, log, responses } = await runProcess(
    toLines(PING, SLOW, { ...PING, id: 2 }),
  );
  assertEquals([code, log], [0, ""]);
  assert(responses.every(({ result }) => typeof result === "object"));
  // Lines are handled one at a time.
  const ids = responses.map(({ id }) => id);
  assertEquals(ids, [1, "slow", 2]);
  const silent = { code: 0, log: "", responses: [] };
  assertEquals(await runProcess(""), silent);
});

Deno.test("the process rejects a message of 2 MB, and continues", async () => {
  const large = { input: "x".repeat(2_000_000) };
  const error = "a message must be at most 1048576 bytes";
  assertEquals(
    await runProcess(
      toLines(
        callTool("processJson", large, "large"),
        // A notification, which gets no response.
        { jsonrpc: "2.0", method: "x", params: large },
        PING,
      ),
    ),
    { code: 0, log: "", responses: [createError("large", error), PONG] },
  );
});

Deno.test("the process uses MAX_BODY_BYTES as its limit, if it has permission to read the variable", async () => {
  const longer = { ...PING, id: "longer" };
  const { responses } = await runProcess(toLines(PING, longer), "40");
  const error = createError("longer", "a message must be at most 40 bytes");
  assertEquals(responses, [PONG, error]);
  const { code, log } = await runProcess("", "0");
  assertMatch(log, /^MAX_BODY_BYTES must be an integer from 1 to .*\n$/);
  assertEquals(code, 1);
});

Deno.test("a message can have exactly the largest size, not counting its newline", async () => {
  const text = JSON.stringify(PING);
  const { length } = text;
  const error = createError(1, `a message must be at most ${length} bytes`);
  // The last line need not end with a newline.
  for (const end of ["\n", ""]) {
    assertEquals(await sendLines(text + end, length), [PONG]);
    assertEquals(await sendLines(` ${text}${end}`, length), [error]);
  }
});

Deno.test("blank lines are skipped, and chunks of the input can end anywhere", async () => {
  const ids = ["a", "é", "😀"];
  const [first, ...others] = ids.map((id) => JSON.stringify({ ...PING, id }));
  const lines = `${first}\n${others.join("\r\n\n \t\r\n")}\n\n`;
  const bytes = new TextEncoder().encode(lines);
  for (const size of [1, 7, bytes.length]) {
    const chunks = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, i) => bytes.slice(i * size, (i + 1) * size),
    );
    const responses = await sendLines(ReadableStream.from(chunks));
    assertEquals(responses.map(({ id }) => id), ids);
  }
});

/** Starts the process, and waits for a response. Leaves the input open. */
async function start() {
  const child = spawn([Deno.execPath(), ...readCommand("mcp").slice(1)]);
  const writer = child.stdin.getWriter();
  const send = () => writer.write(new TextEncoder().encode(toLines(PING)));
  await within(send(), "the process to read a message");
  const reader = child.stdout.getReader();
  await within(reader.read(), "the response to a message");
  async function checkEnd(): Promise<void> {
    const ending = new Response(child.stderr).text();
    const errors = await within(ending, "the end of the process");
    const { code, signal } = await within(child.status, "its status");
    assertEquals([code, signal, errors], [0, null, ""]);
    await reader.cancel();
    await writer.close().catch(() => {});
  }
  return { child, send, reader, checkEnd };
}

testOnPosix(
  "on SIGTERM or SIGINT the process exits with status 0",
  async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const { child, checkEnd } = await start();
      child.kill(signal);
      await checkEnd();
    }
  },
);

Deno.test("the process exits with status 0 when its client stops reading", async () => {
  const { send, reader, checkEnd } = await start();
  await reader.cancel();
  await within(send(), "the process to read a message");
  await checkEnd();
});
