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
    useFile: note("useFile"),
    openTool: note("openTool"),
    fill: note("fill"),
    run: note("run"),
  });
  assertEquals([text, kind], [
    "The input or the result is too large for this browser.",
    "error",
  ]);
  assertEquals(buttons.map(([label]) => label), ["Try again"]);
  for (const [, press] of buttons) press();
  assertEquals(pressed, ["run"]);
});

Deno.test("an error names the labels of its fields, and the requirement", () => {
  const rows = [
    [
      "count",
      "must be an integer from 1 to 100",
      "Enter a number from 1 to 100.",
    ],
    ["count", "must be even", "The count must be even."],
    [["count", "length"], "must be equal", "Count, Length: must be equal."],
    [
      ["uppercase", "numbers"],
      "at least one must be true",
      "Choose at least one of A–Z or 0–9.",
    ],
  ] as const;
  for (const [parameters, requirement, expected] of rows) {
    const error = {
      parameters,
      requirement,
      reason: "",
      isJson: false,
      offset: undefined,
      lineAndColumn: undefined,
    };
    const { error: message } = toOutcome("password", {}, { error });
    assertEquals(message, expected);
  }
});
