import { assertEquals } from "@std/assert";
import { LineQueue, MAX_WAITING_LENGTH } from "../lib/line_queue.ts";
import { logError, logEvent, logWarning, print } from "../lib/log.ts";
import { captureLog } from "./_replace.ts";

Deno.test("each kind of line goes to the console's method of its level, an error and its stack as one line", () => {
  const withStack = new Error("a\nb");
  withStack.stack = "Error: a\nb\n    at x (y:1:2)  \n\n  at z";
  const withoutStack = new Error("a\nb");
  Reflect.deleteProperty(withoutStack, "stack");
  using log = captureLog();
  logEvent("an event");
  logWarning("a warning");
  print("an answer");
  logError("an error");
  logError("failed", withStack);
  logError("failed", withoutStack);
  logError("failed", "a\n  b  c\t d");
  logError("failed", null);
  assertEquals(log.lines, [
    ["info", "an event"],
    ["warn", "a warning"],
    ["log", "an answer"],
    ["error", "an error"],
    ["error", "failed: Error: a | b | at x (y:1:2) | at z"],
    ["error", "failed: Error: a | b"],
    ["error", "failed: a | b  c\t d"],
    ["error", "failed: null"],
  ]);
});

/** An output that takes 70 bytes at a time, once `open()` is called. */
class SlowOutput {
  text = "";
  readonly #opened = Promise.withResolvers<void>();
  readonly open = this.#opened.resolve;

  async write(bytes: Uint8Array): Promise<number> {
    await this.#opened.promise;
    const written = bytes.subarray(0, 70);
    this.text += new TextDecoder("latin1").decode(written);
    return written.byteLength;
  }
}

Deno.test("LineQueue writes lines in their order and to the last byte", async () => {
  const output = new SlowOutput();
  const queue = new LineQueue(output);
  output.open();
  const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i}`);
  for (const line of lines) queue.add(line);
  await queue.flush();
  queue.add("é");
  await queue.flush();
  assertEquals(output.text, `${lines.join("\n")}\n\xc3\xa9\n`);
});

Deno.test("LineQueue loses lines that do not fit, counts them in a line, and has room again", async () => {
  const output = new SlowOutput();
  const queue = new LineQueue(output);
  output.open();
  const line = "x".repeat(1_023);
  // With its line feed, a line has 1,024 characters.
  const fitting = MAX_WAITING_LENGTH / 1_024;
  for (const lost of [12, 1, 1, 1, 1, 1]) {
    for (let i = 0; i < fitting + lost; i += 1) queue.add(line);
    await queue.flush();
    const text = `${lost} ${lost === 1 ? "line" : "lines"}`;
    const expected = `${`${line}\n`.repeat(fitting)}${text} not written\n`;
    assertEquals(output.text === expected, true, output.text.slice(-80));
    output.text = "";
  }
});

Deno.test("LineQueue does not fail with its output, and does not try again", async () => {
  let writes = 0;
  const queue = new LineQueue({
    write() {
      writes += 1;
      return Promise.reject(new Deno.errors.BrokenPipe());
    },
  });
  for (let i = 0; i < 10_000; i += 1) queue.add("x".repeat(100));
  await queue.flush();
  queue.add("x");
  await queue.flush();
  assertEquals(writes, 1);
});
