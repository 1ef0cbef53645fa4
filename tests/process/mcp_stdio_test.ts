/**
 * The server over standard input and output: lines, the end of the input, the end
 * of the process.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readCommand, runDeno, testOnPosix } from "../_server.ts";
import { within } from "../_within.ts";
import fc from "../_random.ts";
import { callTool, sendLines } from "../mcp/_agent.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const PONG = { jsonrpc: "2.0", id: 1, result: {} };

/** A call with a large result. */
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
    toLines(PING, SLOW, { ...SLOW, id: "slower" }, { ...PING, id: 2 }),
  );
  assertEquals([code, log], [0, ""]);
  assert(answers.every(({ result }) => typeof result === "object"));
  // Lines are answered one after the other.
  const ids = answers.map(({ id }) => id);
  assertEquals(ids, [1, "slow", "slower", 2]);
  const silent = { code: 0, log: "", answers: [] };
  assertEquals(await runProcess(""), silent);
});

Deno.test("the process rejects a message of 2 MB, and continues", async () => {
  const large = { input: "x".repeat(2_000_000) };
  const error = "a message must have at most 1048576 bytes";
  assertEquals(
    await runProcess(
      toLines(
        callTool("processJson", large, "large"),
        // A response and a notification, which get no response.
        { jsonrpc: "2.0", id: 2, result: large },
        { jsonrpc: "2.0", method: "x", params: large },
        PING,
      ),
    ),
    { code: 0, log: "", answers: [refuse("large", error), PONG] },
  );
});

Deno.test("the process uses MAX_BODY_BYTES as its limit, if it may read that variable", async () => {
  const longer = { ...PING, id: "longer" };
  const { answers } = await runProcess(toLines(PING, longer), "40");
  const error = refuse("longer", "a message must have at most 40 bytes");
  assertEquals(answers, [PONG, error]);
  const { code, log } = await runProcess("", "0");
  assertMatch(log, /^MAX_BODY_BYTES must be an integer from 1 to .*\n$/);
  assertEquals(code, 1);
});

Deno.test("a message may have exactly the largest size, not counting its line feed", async () => {
  const text = JSON.stringify(PING);
  const { length } = text;
  const error = refuse(1, `a message must have at most ${length} bytes`);
  // The last line may have no end.
  for (const end of ["\n", ""]) {
    assertEquals(await sendLines(text + end, length), [PONG]);
    assertEquals(await sendLines(` ${text}${end}`, length), [error]);
  }
});

Deno.test("blank lines are skipped, and lines may come in any chunks", async () => {
  const ids = fc.array(fc.string({ unit: "grapheme", maxLength: 4 }));
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 });
  const ends = fc.constantFrom("\n", "\r\n", "\n\n", "\n \t\r\n");
  await fc.assert(
    fc.asyncProperty(ids, sizes, ends, async (ids, sizes, end) => {
      const lines = ids.map((id) => JSON.stringify({ ...PING, id }) + end);
      const bytes = new TextEncoder().encode(lines.join(""));
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      for (
        let start = 0;
        start < bytes.length;
        start += chunks.at(-1)!.length
      ) {
        const size = sizes[chunks.length % sizes.length]!;
        chunks.push(bytes.slice(start, start + size));
      }
      const answers = await sendLines(ReadableStream.from(chunks));
      assertEquals(answers.map(({ id }) => id), ids);
    }),
  );
});

/** Starts the process, which has answered a message, and leaves its input open. */
async function start() {
  const [, ...args] = readCommand("mcp");
  const child = new Deno.Command(Deno.execPath(), {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const send = () => writer.write(new TextEncoder().encode(toLines(PING)));
  await within(send(), "the process to take a message");
  const reader = child.stdout.getReader();
  await within(reader.read(), "the answer to a message");
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
  await within(send(), "the process to take a message");
  await checkEnd();
});
