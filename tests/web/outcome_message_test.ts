import { assertEquals } from "@std/assert";
import { describeOutcome } from "../../web/outcome_message.js";
import { mayRepair } from "../../web/repair.js";
import { suggest } from "../../web/suggestions.js";

type Outcome = Partial<
  Record<"result" | "wrong" | "failure" | "hint", string>
>;

/** Returns words and labels of a message, and what its buttons do. */
function describe(
  tool: string,
  values: Record<string, string>,
  outcome: Outcome & { offset?: number; isInvalidJson?: boolean },
  textFile?: { file: File; text: string },
) {
  const pressed: unknown[] = [];
  const note = (name: string) => (...args: unknown[]) => {
    pressed.push([name, ...args]);
  };
  const suggestions = outcome.failure ? [] : suggest(tool, values, outcome);
  const isInvalid = outcome.isInvalidJson ?? false;
  const known = {
    suggestions,
    mayRepair: isInvalid && mayRepair(values.input!),
  };
  const call = { values, outcome: { ...outcome, ...known } };
  const { words, kind, buttons } = describeOutcome(call, {
    textFile,
    encodeAsDataUrl: note("encodeAsDataUrl"),
    select: note("select"),
    showResult: note("showResult"),
    openTool: note("open"),
    fill: note("fill"),
    repair: note("repair"),
    retry: note("retry"),
    download: note("download"),
  });
  for (const [_label, press] of buttons) press();
  return { words, kind, labels: buttons.map(([label]) => label), pressed };
}

const ENCODE = { action: "encode", input: "abc" };

Deno.test("describeOutcome() has no words for a result alone", () => {
  assertEquals(
    describe("base64", ENCODE, { result: "YWJj" }),
    { words: "", kind: "hint", labels: [], pressed: [] },
  );
});

Deno.test("describeOutcome() says an error first, then its hint, and shows the place", () => {
  const outcome = {
    wrong: "Not valid JSON: x.",
    hint: "A hint.",
    offset: 3,
    isInvalidJson: true,
  };
  assertEquals(
    describe("json", { action: "format", input: "{a:1}" }, outcome),
    {
      words: "Not valid JSON: x. A hint.",
      kind: "wrong",
      labels: ["Show", "Repair"],
      pressed: [["select", 3], ["repair"]],
    },
  );
  for (const input of ["{a}", String.raw`{"a":"C:\Users"}`]) {
    const { labels } = describe("json", { action: "format", input }, outcome);
    assertEquals(labels, ["Show"], "a repair would fail or change a value");
  }
  const input = " ".repeat(300_000);
  const long = describe("json", { action: "format", input }, outcome);
  assertEquals(long.labels, ["Show"]);
  assertEquals(
    long.words,
    "Not valid JSON: x. A hint. Repair takes at most 262,144 characters.",
  );
});

Deno.test("describeOutcome() offers to repeat a call that has failed, and suggests nothing", () => {
  const values = { action: "encode", input: "SGVsbG8sIHfDtnJsZCE=" };
  assertEquals(
    describe("base64", values, { failure: "It cannot be reached." }),
    {
      words: "It cannot be reached.",
      kind: "wrong",
      labels: ["Try again"],
      pressed: [["retry"]],
    },
  );
});

Deno.test("describeOutcome() makes a button of each suggestion", () => {
  const encoded = { action: "encode", input: "SGVsbG8sIHfDtnJsZCE=" };
  assertEquals(
    describe("base64", encoded, { result: "x" }).pressed,
    [["fill", "SGVsbG8sIHfDtnJsZCE=", "decode"]],
  );
  const json = { action: "decode", input: "WzFd" };
  assertEquals(
    describe("base64", json, { result: "[1]" }).pressed,
    [["open", "json", "[1]"]],
  );
  const utf16 = { action: "decode", input: "YQBiAA==" };
  assertEquals(
    describe("base64", utf16, { result: "a\0b\0" }).pressed,
    [["showResult", "ab"]],
  );
  const twice = { action: "format", input: '{"a":1,"a":2}' };
  assertEquals(
    describe("json", twice, { result: "{}" }).pressed,
    [["select", 7]],
  );
});

Deno.test("describeOutcome() offers a data URL for the text of a file, unchanged, to encode", () => {
  const file = new File(["abc"], "a.txt");
  const offered = describe("base64", ENCODE, { result: "YWJj" }, {
    file,
    text: "abc",
  });
  assertEquals(offered.words, "This is the text of “a.txt”.");
  assertEquals(offered.pressed, [["encodeAsDataUrl", file]]);
  for (
    const [text, action] of [["abcd", "encode"], ["abc", "decode"]] as const
  ) {
    const values = { ...ENCODE, action };
    const other = describe("base64", values, { result: "x" }, { file, text });
    assertEquals(other.labels, []);
  }
});
