/** The local server: lines, the end of the input, the end of the process. */

import { assertEquals, assertMatch } from "@std/assert";
import { captureLog, replace } from "../_replace.ts";
import { readCommand } from "../_server.ts";
import { callTool, META, sendLines } from "./_client.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const PONG = { jsonrpc: "2.0", id: 1, result: {} };

/** A call whose result takes a while: large, and written in turns. */
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

/** Runs the task `mcp` with an input that ends, if asked with a limit that it may read. */
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
    // It may have ended.
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

Deno.test("the process answers every call it has received when its input ends, then ends with status 0", async () => {
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

Deno.test("the process refuses messages of 11 MB and of 65 MiB, and goes on", async () => {
  const createLarge = (length: number) =>
    callTool("processJson", { input: "x".repeat(length) }, "large");
  const { code, errors, answers } = await runProcess(
    toLines(createLarge(11_000_000), createLarge(65 * 1024 * 1024), PING),
  );
  // The identifier of the second is not looked for.
  const refused = ["large", null].map((id) => ({
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
    answers: [...refused, PONG],
  });
});

Deno.test("the process takes its limit from MAX_BODY_BYTES, where it may read that", async () => {
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

Deno.test("an empty input is a session without messages", async () => {
  const { code, errors, answers } = await runProcess("");
  assertEquals({ code, errors, answers }, { code: 0, errors: "", answers: [] });
});

Deno.test("a message may have as many bytes as allowed and no more, its line feed not counted", async (t) => {
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

Deno.test("a session goes on after every line that is no message", async () => {
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

Deno.test("a message may come in any pieces, and two in one", async () => {
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

Deno.test("notifications, and responses that no request asked for, have no answer", async () => {
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

Deno.test("a request whose identifier is in use is refused, and both are told apart by their arguments", async () => {
  const lines = toLines(
    SLOW,
    callTool("generateUuids", { count: 1 }, "slow"),
    callTool("generateUuids", { count: 101 }, "other"),
  );
  const [refused, other, slow] = await sendLines(lines);
  // Without the identifier: the client would take it for the answer to the first.
  assertEquals(refused, {
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

Deno.test("a call that is cancelled has no answer, and its identifier may be used again", async () => {
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

Deno.test("a message with which the service fails is an internal error, and the session goes on", async () => {
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

Deno.test("the process ends with status 0 when its client does not read any more", async () => {
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
  // Its input stays open.
  await writer.write(bytes);
  const errors = await new Response(child.stderr).text();
  assertEquals([(await child.status).code, errors], [0, ""]);
  await writer.close().catch(() => {});
});

Deno.test("an input that fails has ended, and the log says why", async () => {
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

Deno.test("a subscription is refused, since the tools never change", async () => {
  const [{ id, error }] = await sendLines(toLines({
    jsonrpc: "2.0",
    id: 3,
    method: "subscriptions/listen",
    params: { _meta: META, notifications: { toolsListChanged: true } },
  }));
  assertEquals([id, error.message], [3, "Subscription limit reached"]);
});

Deno.test("a fault of the service is an internal error to a local agent, and its details go to the log", async () => {
  using log = captureLog();
  using _ = replace(crypto.subtle, {
    digest() {
      throw new Error("the secret");
    },
  });
  const call = callTool("hashText", { algorithm: "sha1", input: "" });
  const [{ result }] = await sendLines(toLines(call));
  assertEquals(result, {
    content: [{ type: "text", text: "internal error" }],
    isError: true,
  });
  assertMatch(log.lines[0]![1], /^unexpected error: Error: the secret /);
});
