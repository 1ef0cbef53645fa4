/// <reference path="../../web/types.d.ts" />

import { assertEquals } from "@std/assert";
import { compute } from "../../web/compute.js";
import { describeOutcome, toOutcome } from "../../web/outcome.js";

/** Computes as the page does. Returns the message and the effects of its buttons. */
async function compose(
  name: string,
  values: Record<string, string>,
  textFile?: { file: File; text: string },
) {
  const reply = await compute({ name, values }, () => {});
  return describe(values, toOutcome(name, values, reply), textFile);
}

function describe(
  values: Record<string, string>,
  outcome: Outcome,
  textFile?: { file: File; text: string },
) {
  const pressed: unknown[] = [];
  const note = (name: string) => (...args: unknown[]) => {
    pressed.push([name, ...args]);
  };
  const { text, kind, buttons } = describeOutcome({ values, outcome }, {
    encodeAsDataUrl: note("encodeAsDataUrl"),
    input: { select: note("select") },
    openTool: note("open"),
    fill: note("fill"),
    run: note("run"),
  }, textFile);
  for (const [_label, press] of buttons) press();
  return { text, kind, labels: buttons.map(([label]) => label), pressed };
}

const ENCODE = { action: "encode", variant: "standard", input: "abc" };
const DECODE = { action: "decode", variant: "standard" };
const FORMAT = { action: "format", indent: "2" };

Deno.test("an error has its position, and buttons that show and repair it", async () => {
  for (const action of ["format", "validate"]) {
    const values = { ...FORMAT, action, input: "{\ra:1}" };
    assertEquals(await compose("json", values), {
      text: 'Invalid JSON: expected a name in double quotes, got "a" ' +
        "at line 2, column 1.",
      kind: "error",
      labels: ["Show", "Repair"],
      pressed: [["select", 2], ["fill", '{\r"a":1}', undefined]],
    });
  }
  for (const input of ["{a}", String.raw`{"a":"C:\Users"}`, "[1,,2]"]) {
    const { labels } = await compose("json", { ...FORMAT, input });
    assertEquals(labels, ["Show"], "a repair would fail or change something");
  }
});

Deno.test("a failed computation can be run again", () => {
  const values = { ...ENCODE, input: "SGVsbG8sIHfDtnJsZCE=" };
  const outcome = toOutcome("base64", values, { failure: "RangeError" });
  assertEquals(describe(values, outcome), {
    text: "This is too large for this browser.",
    kind: "error",
    labels: ["Try again"],
    pressed: [["run"]],
  });
});

Deno.test("the button of a suggestion opens the result in another tool", async () => {
  const values = { ...DECODE, input: "WzFd" };
  const { pressed } = await compose("base64", values);
  assertEquals(pressed, [["open", "json", "[1]"]]);
});

Deno.test("an unchanged text file can be encoded as a data URL", async () => {
  const file = new File(["abc"], "a.txt");
  const offered = await compose("base64", ENCODE, { file, text: "abc" });
  assertEquals(offered.text, "This is the text of “a.txt”.");
  assertEquals(offered.pressed, [["encodeAsDataUrl", file]]);
  for (
    const [text, values] of [
      ["abcd", ENCODE],
      ["YWJj", { ...DECODE, input: "YWJj" }],
    ] as const
  ) {
    assertEquals((await compose("base64", values, { file, text })).labels, []);
  }
});
