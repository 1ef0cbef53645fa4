import { assertEquals } from "@std/assert";
import { HttpError } from "../lib/http_error.ts";
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
  logError("failed", new HttpError(503, "too busy"));
  assertEquals(log.lines, [
    ["info", "an event"],
    ["warn", "a warning"],
    ["log", "an answer"],
    ["error", "an error"],
    ["error", "failed: Error: a | b | at x (y:1:2) | at z"],
    ["error", "failed: Error: a | b"],
    ["error", "failed: a | b  c\t d"],
    ["error", "failed: null"],
    ["error", "failed: HttpError 503: too busy"],
  ]);
});
