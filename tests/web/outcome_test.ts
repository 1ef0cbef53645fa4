/// <reference path="../../web/types.d.ts" />

import { assertEquals } from "@std/assert";
import { describeOutcome, toOutcome } from "../../web/outcome.js";

Deno.test("a failed computation can be run again", () => {
  const values = { action: "encode", input: "SGVsbG8sIHfDtnJsZCE=" };
  const outcome = toOutcome("base64", values, { failure: "RangeError" });
  const pressed: string[] = [];
  const note = (name: string) => () => {
    pressed.push(name);
  };
  const { text, kind, buttons } = describeOutcome({ values, outcome }, {
    encodeAsDataUrl: note("encodeAsDataUrl"),
    openTool: note("openTool"),
    fill: note("fill"),
    run: note("run"),
  });
  assertEquals([text, kind], ["This is too large for this browser.", "error"]);
  assertEquals(buttons.map(([label]) => label), ["Try again"]);
  for (const [, press] of buttons) press();
  assertEquals(pressed, ["run"]);
});
