import { assert, assertEquals } from "@std/assert";
import { LineQueue, MAX_WAITING_LENGTH } from "../../lib/system/line_queue.ts";
import { logError, logEvent, logWarning } from "../../lib/system/log.ts";
import { createHandler } from "../../routes/mod.ts";
import { captureLog, replace } from "../_replace.ts";

Deno.test("each kind of line goes to the console's method of its level, an error and its stack as one line", () => {
  const withStack = new Error("a\nb");
  withStack.stack = "Error: a\nb\n    at x (y:1:2)  \n\n  at z";
  const withoutStack = new Error("a\nb");
  Reflect.deleteProperty(withoutStack, "stack");
  using log = captureLog();
  logEvent("an event");
  logWarning("a warning");
  logError("an error");
  logError("failed", withStack);
  logError("failed", withoutStack);
  logError("failed", "a\n  b  c\t d");
  logError("failed", null);
  assertEquals(log.lines, [
    ["info", "an event"],
    ["warn", "a warning"],
    ["error", "an error"],
    ["error", "failed: Error: a | b | at x (y:1:2) | at z"],
    ["error", "failed: Error: a | b"],
    ["error", "failed: a | b  c\t d"],
    ["error", "failed: null"],
  ]);
});

Deno.test("a log that cannot be written changes no answer", async () => {
  const fail = () => {
    throw new Error("No space left on device (os error 28)");
  };
  using _console = replace(console, { info: fail, warn: fail, error: fail });
  logEvent("an event");
  logWarning("a warning");
  logError("an error");
  const handler = createHandler({ logRequests: true });
  const response = await handler(new Request("http://localhost/healthz"));
  assertEquals(await response.json(), { status: "ok" });
});

Deno.test("LineQueue writes lines in their order and to the last byte, but loses those that do not fit, counts them in a line, and has room again", async () => {
  const written: number[] = [];
  const queue = new LineQueue({
    // An output that takes 70 bytes at a time.
    write(bytes) {
      const part = bytes.subarray(0, 70);
      written.push(...part);
      return Promise.resolve(part.length);
    },
  });
  // With its line feed, a line has 1,024 characters.
  const fitting = MAX_WAITING_LENGTH / 1_024;
  const lines = Array.from(
    { length: fitting },
    (_, i) => `${i}`.padEnd(1_023, "é"),
  );
  for (const lost of [12, 1, 1, 1, 1, 1]) {
    for (const line of lines) queue.add(line);
    for (let i = 0; i < lost; i += 1) queue.add("x".repeat(1_023));
    await queue.flush();
    const text = new TextDecoder().decode(Uint8Array.from(written.splice(0)));
    const count = `${lost} ${lost === 1 ? "line" : "lines"}`;
    const expected = `${lines.join("\n")}\n${count} not written\n`;
    assert(text === expected, text.slice(-80));
  }
});

Deno.test("LineQueue writes again when its output has room again, after a line with the number of lost lines", async () => {
  // A disk that takes as many bytes as are free, and then refuses all.
  const written: number[] = [];
  let free = 0;
  const queue = new LineQueue({
    write(bytes) {
      if (free === 0) return Promise.reject(new Error("No space left"));
      const part = bytes.subarray(0, free);
      free -= part.length;
      written.push(...part);
      return Promise.resolve(part.length);
    },
  });
  const add = async (...lines: readonly string[]) => {
    for (const line of lines) queue.add(line);
    await queue.flush();
    return new TextDecoder().decode(Uint8Array.from(written.splice(0)));
  };
  free = 12;
  assertEquals(await add("first"), "first\n");
  assertEquals(await add("second", "third"), "second");
  assertEquals(await add("fourth"), "");
  // The end of the line that was broken off.
  free = 1;
  assertEquals(await add("fifth"), "\n");
  assertEquals(await add(...Array(1_000).fill("x".repeat(100))), "");
  free = Infinity;
  assertEquals(await add("last"), "1004 lines not written\nlast\n");
  assertEquals(await add("one more"), "one more\n");
});
