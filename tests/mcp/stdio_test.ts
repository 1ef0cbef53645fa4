/**
 * The server over standard input and output: lines, the end of the input, the end
 * of the process.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { captureLog, replace } from "../_replace.ts";
import { readCommand } from "../_server.ts";
import { callTool, META, sendLines } from "./_client.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const PONG = { jsonrpc: "2.0", id: 1, result: {} };

/** A call with a large result, which is written in several slices. */
const SLOW = callTool("processJson", {
  action: "format",
  input: `[${"0,".repeat(80_000)}0]`,
}, "slow");

const INITIALIZE = {
  jsonrpc: "2.0",
  id: "initialize",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
};

function toLines(...messages: unknown[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

/** Runs the task `mcp` with an input that ends. With a limit, it may read `MAX_BODY_BYTES`. */
async function runProcess(input: BlobPart, limit?: string) {
  const [, run, ...args] = readCommand("mcp");
  const isLimited = limit !== undefined;
  const permission = isLimited ? ["--allow-env=MAX_BODY_BYTES"] : [];
  const child = new Deno.Command(Deno.execPath(), {
    args: [run!, ...permission, ...args],
    env: isLimited ? { MAX_BODY_BYTES: limit } : {},
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writing = new Blob([input]).stream().pipeTo(child.stdin)
    // The process may have ended before it has read everything.
    .catch(() => {});
  const { code, stdout, stderr } = await child.output();
  await writing;
  const decoder = new TextDecoder();
  return {
    code,
    errors: decoder.decode(stderr),
    answers: decoder.decode(stdout).split("\n").slice(0, -1)
      .map((line) => JSON.parse(line)),
  };
}

Deno.test("when its input ends, the process answers every call received, then exits with status 0", async () => {
  const { code, errors, answers } = await runProcess(
    toLines(INITIALIZE, SLOW, { ...SLOW, id: "slower" }, { ...PING, id: 2 }),
  );
  assertEquals({ code, errors }, { code: 0, errors: "" });
  assertEquals(
    answers.map(({ id, result }) => [id, typeof result]).toSorted(),
    [
      [2, "object"],
      ["initialize", "object"],
      ["slow", "object"],
      ["slower", "object"],
    ],
  );
});

Deno.test("the process rejects messages of 11 MB and of 65 MiB, and continues", async () => {
  const createLarge = (length: number) =>
    callTool("processJson", { input: "x".repeat(length) }, "large");
  const { code, errors, answers } = await runProcess(
    toLines(createLarge(11_000_000), createLarge(65 * 1024 * 1024), PING),
  );
  // The identifier of the second message is not read.
  const rejected = ["large", null].map((id) => ({
    jsonrpc: "2.0",
    id,
    error: {
      code: -32600,
      message: "a message must have at most 1048576 bytes",
    },
  }));
  assertEquals({ code, errors, answers }, {
    code: 0,
    errors: "",
    answers: [...rejected, PONG],
  });
});

Deno.test("the process uses MAX_BODY_BYTES as its limit, if it may read that variable", async () => {
  const longer = { ...PING, id: "longer" };
  const { answers } = await runProcess(toLines(PING, longer), "40");
  assertEquals(answers.toSorted((a) => "error" in a ? 1 : -1), [PONG, {
    jsonrpc: "2.0",
    id: "longer",
    error: { code: -32600, message: "a message must have at most 40 bytes" },
  }]);
  const { code, errors } = await runProcess("", "0");
  assertMatch(errors, /^MAX_BODY_BYTES must be an integer from 1 to .*\n$/);
  assertEquals(code, 1);
});

Deno.test("an empty input gives no output and status 0", async () => {
  const { code, errors, answers } = await runProcess("");
  assertEquals({ code, errors, answers }, { code: 0, errors: "", answers: [] });
});

Deno.test("a message may have exactly maxMessageBytes bytes, not counting its line feed", async (t) => {
  const text = JSON.stringify(PING);
  const maxMessageBytes = text.length;
  for (const [end, name] of [["\n", "a line"], ["", "the last, without end"]]) {
    await t.step(name!, async () => {
      assertEquals(await sendLines(text + end, { maxMessageBytes }), [PONG]);
      const [{ id, error }] = await sendLines(` ${text}${end}`, {
        maxMessageBytes,
      });
      assertEquals({ id, error }, {
        id: 1,
        error: {
          code: -32600,
          message: `a message must have at most ${maxMessageBytes} bytes`,
        },
      });
    });
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
  const [initialized, ...others] = answers.toSorted((a, b) =>
    Number(a.id === null) - Number(b.id === null)
  );
  assertEquals(initialized.result.protocolVersion, "2025-11-25");
  assertEquals(others[0], PONG);
  assertEquals(others.slice(1).map(({ id }) => id), faulty.map(() => null));
  assertEquals(
    others.slice(1).map(({ error }) => error.code),
    [-32700, -32600, -32700, -32600, -32600, -32600],
  );
});

Deno.test("lines may end with CR LF, and blank lines are skipped", async () => {
  const input = `\n\r\n \t\n${JSON.stringify(PING)}\r\n\n`;
  assertEquals(await sendLines(input), [PONG]);
});

Deno.test("a message may arrive in any number of chunks, and two messages in one chunk", async () => {
  const bytes = new TextEncoder().encode(
    toLines(callTool("convertBase64", { action: "encode", input: "é😀" }), {
      ...PING,
      id: 2,
    }),
  );
  for (const pieceBytes of [1, 2, 7, bytes.length]) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let start = 0; start < bytes.length; start += pieceBytes) {
          controller.enqueue(bytes.slice(start, start + pieceBytes));
          controller.enqueue(new Uint8Array());
        }
        controller.close();
      },
    });
    const answers = await sendLines(stream);
    assertEquals(
      answers.map(({ id, result }) => [id, result.structuredContent])
        .toSorted(),
      [[1, { result: "w6nwn5iA" }], [2, undefined]],
    );
  }
});

Deno.test("notifications and unexpected responses get no answer", async () => {
  const lines = toLines(
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "unheard/of" },
    { jsonrpc: "2.0", id: 9, result: {} },
    PING,
  );
  assertEquals(await sendLines(lines), [PONG]);
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
  assertEquals(rejected, {
    jsonrpc: "2.0",
    id: null,
    error: {
      code: -32600,
      message:
        "a request must not have the identifier of one that is not answered yet",
    },
  });
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

Deno.test("the newest revision needs no handshake", async () => {
  const params = { name: "hashText", _meta: META };
  const [{ id, result }] = await sendLines(toLines({
    jsonrpc: "2.0",
    id: 5,
    method: "tools/call",
    params: { ...params, arguments: { algorithm: "sha1", input: "abc" } },
  }));
  assertEquals([id, result.structuredContent], [5, {
    result: "a9993e364706816aba3e25717850c26c9cd0d89d",
    algorithm: "sha1",
  }]);
});

Deno.test("after an unexpected failure the answer is an internal error, and the session continues", async () => {
  using log = captureLog();
  let isFaulty = true;
  const { decode } = TextDecoder.prototype;
  using _ = replace(TextDecoder.prototype, {
    decode(this: TextDecoder, ...args) {
      if (!isFaulty) return decode.apply(this, args);
      isFaulty = false;
      throw new RangeError("the secret");
    },
  });
  assertEquals(await sendLines(toLines(PING, PING)), [{
    jsonrpc: "2.0",
    id: null,
    error: { code: -32603, message: "internal error" },
  }, PONG]);
  assertMatch(log.lines[0]![1], /^unexpected error: RangeError: the secret /);
});

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

Deno.test("a subscription is rejected", async () => {
  const [{ id, error }] = await sendLines(toLines({
    jsonrpc: "2.0",
    id: 3,
    method: "subscriptions/listen",
    params: { _meta: META, notifications: { toolsListChanged: true } },
  }));
  assertEquals([id, error.message], [3, "Subscription limit reached"]);
});
