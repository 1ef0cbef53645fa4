import { assertEquals } from "@std/assert";
import { logError, logEvent, logWarning } from "../../lib/process/log.ts";
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
