import { assert, assertEquals } from "@std/assert";
import { HttpError } from "../lib/http_error.ts";
import {
  logError,
  logEvent,
  logUnhandledRejections,
  logWarning,
  print,
} from "../lib/log.ts";
import { captureLog, replace } from "./_replace.ts";

Deno.test("each kind of line goes to the console's method of its level", () => {
  using log = captureLog();
  logEvent("an event");
  logWarning("a warning");
  logError("an error");
  print("an answer");
  assertEquals(log.lines, [
    ["info", "an event"],
    ["warn", "a warning"],
    ["error", "an error"],
    ["log", "an answer"],
  ]);
});

Deno.test("logError() writes an error and its stack as one line", async (t) => {
  const withStack = new Error("a\nb");
  withStack.stack = "Error: a\nb\n    at x (y:1:2)  \n\n  at z";
  const withoutStack = new Error("a\nb");
  Reflect.deleteProperty(withoutStack, "stack");
  const rows = [
    ["a stack", withStack, "Error: a | b | at x (y:1:2) | at z"],
    ["no stack", withoutStack, "Error: a | b"],
    ["a string", "a\n  b", "a | b"],
    ["white space in a line", "a  b\t c", "a  b\t c"],
    ["null", null, "null"],
    ["an HttpError", new HttpError(503, "too busy"), "HttpError 503: too busy"],
  ] as const;
  for (const [name, error, text] of rows) {
    await t.step(name, () => {
      using log = captureLog();
      logError("it failed", error);
      assertEquals(log.lines, [["error", `it failed: ${text}`]]);
    });
  }
});

Deno.test("logUnhandledRejections() logs a rejection and keeps it from ending the process", () => {
  const listeners = new EventTarget();
  using _ = replace(globalThis, {
    addEventListener: listeners.addEventListener.bind(listeners),
  });
  logUnhandledRejections();
  using log = captureLog();
  const event = Object.assign(
    new Event("unhandledrejection", { cancelable: true }),
    { reason: "no one\nhandles it" },
  );
  listeners.dispatchEvent(event);
  assert(event.defaultPrevented);
  assertEquals(log.lines, [
    ["error", "unhandled rejection: no one | handles it"],
  ]);
});
