/// <reference path="../../web/types.d.ts" />

import { assertEquals } from "@std/assert";
import { compute } from "../../web/compute.js";
import {
  describeOutcome,
  getKnownOutcome,
  readOutcome,
} from "../../web/outcome.js";

/** Computes as the page does. Returns the message, and what its buttons do. */
async function ask(
  name: string,
  values: Record<string, string>,
  textFile?: { file: File; text: string },
) {
  const reply = await compute({ name, values }, () => {});
  return describe(values, readOutcome(name, values, reply), textFile);
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
    select: note("select"),
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

Deno.test("a result alone has no message", async () => {
  assertEquals(
    await ask("base64", ENCODE),
    { text: "", kind: "hint", labels: [], pressed: [] },
  );
});

Deno.test("an error names its position, which can be shown, and a repair if there is one", async () => {
  for (const action of ["format", "validate"]) {
    const values = { ...FORMAT, action, input: "{\ra:1}" };
    assertEquals(await ask("json", values), {
      text: 'Invalid JSON: expected a name in double quotes, got "a" ' +
        "at line 2, column 1.",
      kind: "wrong",
      labels: ["Show", "Repair"],
      pressed: [["select", 2], ["fill", '{\r"a":1}', undefined]],
    });
  }
  for (const input of ["{a}", String.raw`{"a":"C:\Users"}`, "[1,,2]"]) {
    const { labels } = await ask("json", { ...FORMAT, input });
    assertEquals(labels, ["Show"], "a repair would fail or change something");
  }
  const decoded = await ask("base64", { ...DECODE, input: "YWJj\r\n😀a!" });
  assertEquals(/at line 2, column 1\.$/.test(decoded.text), true, decoded.text);
  assertEquals(decoded.pressed, [["select", 6]]);
});

Deno.test("an error in a field says what to enter", async () => {
  const count = await ask("uuid", { count: "0" });
  assertEquals(count.text, "Enter a number from 1 to 100.");
  const none = { uppercase: "false", lowercase: "false", numbers: "false" };
  const password = await ask("password", { ...none, symbols: "false" });
  assertEquals(
    password.text,
    "Choose at least one of A–Z, a–z, 0–9, Symbols.",
  );
});

Deno.test("a failure can be repeated, and suggests nothing", () => {
  const values = { ...ENCODE, input: "SGVsbG8sIHfDtnJsZCE=" };
  const outcome = readOutcome("base64", values, { failure: "RangeError" });
  assertEquals(describe(values, outcome), {
    text: "This is too large for this browser.",
    kind: "wrong",
    labels: ["Try again"],
    pressed: [["run"]],
  });
});

Deno.test("each suggestion has a button", async () => {
  const rows: [tool: string, values: Record<string, string>, ...unknown[]][] = [
    [
      "base64",
      { ...ENCODE, input: "SGVsbG8sIHfDtnJsZCE=" },
      ["fill", "SGVsbG8sIHfDtnJsZCE=", "decode"],
    ],
    ["base64", { ...DECODE, input: "WzFd" }, ["open", "json", "[1]"]],
    ["json", { ...FORMAT, input: '{"a":1,"a":2}' }, ["select", 7]],
  ];
  for (const [tool, values, ...pressed] of rows) {
    assertEquals((await ask(tool, values)).pressed, pressed);
  }
});

Deno.test("the text of a file can become a data URL, unchanged, to encode", async () => {
  const file = new File(["abc"], "a.txt");
  const offered = await ask("base64", ENCODE, { file, text: "abc" });
  assertEquals(offered.text, "This is the text of “a.txt”.");
  assertEquals(offered.pressed, [["encodeAsDataUrl", file]]);
  for (
    const [text, values] of [
      ["abcd", ENCODE],
      ["YWJj", { ...DECODE, input: "YWJj" }],
    ] as const
  ) {
    assertEquals((await ask("base64", values, { file, text })).labels, []);
  }
});

Deno.test("some outcomes need no computation", () => {
  const file = new File(["a"], "a.png");
  assertEquals(
    getKnownOutcome("base64", { values: DECODE, file })?.wrong,
    "Base64 is text: paste it, or drop a text file. “a.png” can only be encoded.",
  );
  const empty = { ...ENCODE, input: "" };
  assertEquals(getKnownOutcome("base64", { values: empty }), { result: "" });
  const hash = { algorithm: "sha1", input: "" };
  assertEquals(getKnownOutcome("hash", { values: hash }), undefined);
});
