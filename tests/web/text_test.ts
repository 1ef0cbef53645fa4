import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  countLines,
  describeSize,
  escapeUnseen,
  findBase64Error,
  findPosition,
  keepLineEnds,
  nameLineEnds,
  quoteForShell,
  replacePart,
  setLineEnds,
  tokenize,
  toShown,
} from "../../web/text.js";
import { post } from "../_client.ts";

Deno.test("describeSize() counts bytes of UTF-8", () => {
  assertEquals(describeSize(""), "0 bytes");
  assertEquals(describeSize("a"), "1 byte");
  assertEquals(describeSize("é漢😀"), "9 bytes");
  assertEquals(describeSize(1_048_576), "1,048,576 bytes");
});

Deno.test("countLines() counts what an editor numbers", () => {
  assertEquals(["", "a", "a\n", "\n\n"].map(countLines), [1, 1, 2, 3]);
});

Deno.test("nameLineEnds() names what there is", () => {
  const names = {
    "": "",
    a: "",
    "a\nb": "LF",
    "a\r\nb\r\n": "CRLF",
    "a\rb": "CR",
    "\r\r\n": "mixed",
    "\n\r\n": "mixed",
    "\r\n\n": "mixed",
    "a\rb\nc": "mixed",
  };
  for (const [text, name] of Object.entries(names)) {
    assertEquals(nameLineEnds(text), name, JSON.stringify(text));
  }
});

/** Carries over an edit of an exact text. */
function keep(exact: string, shown: string): string {
  return keepLineEnds({ exact, shown: toShown(exact) }, shown);
}

const texts = fc.string({
  unit: fc.constantFrom("a", "b", "\n", "\r", "\r\n", "é"),
  maxLength: 30,
});

Deno.test("toShown() and setLineEnds() change nothing but line ends", () => {
  fc.assert(fc.property(texts, (text) => {
    const lines = text.split(/\r\n|\r|\n/);
    assertEquals(toShown(text), lines.join("\n"));
    assertEquals(setLineEnds(text, "\r\n"), lines.join("\r\n"));
  }));
});

Deno.test("replacePart() takes offsets of the shown text", () => {
  const part = { start: 2, end: 3, by: "X" };
  assertEquals(replacePart("a\r\nb\r\nc", part), "a\r\nX\r\nc");
  assertEquals(replacePart("a\nb\r\nc", part), "a\nX\r\nc");
  const second = { start: 3, end: 4, by: "" };
  assertEquals(replacePart("a\r\nb\r\nc", second), "a\r\nbc");
});

Deno.test("keepLineEnds() keeps the line ends of what was not edited", () => {
  assertEquals(keep("a\r\nb\rc\nd", "a\nb\ncX\nd"), "a\r\nb\rcX\nd");
  assertEquals(keep("a\r\nb", "a\nb\nc"), "a\r\nb\r\nc");
  assertEquals(keep("a\nb", "a\nb\n"), "a\nb\n");
  assertEquals(keep("a\r\nb", ""), "");
});

Deno.test("keepLineEnds() gives what is shown, whatever was edited", () => {
  fc.assert(fc.property(texts, texts, (exact, other) => {
    const shown = toShown(other);
    assertEquals(toShown(keep(exact, shown)), shown);
    assertEquals(keep(exact, toShown(exact)), exact);
  }));
});

Deno.test("findPosition() finds where the service says that a text is no JSON", async () => {
  const cases = [
    ["[1,]", 3],
    ["[\n\n  x]", 5],
    ['{"😀": ?}', 7],
    ["[1", 2],
    ["[\t漢x]", 2],
  ] as const;
  for (const [text, offset] of cases) {
    const { body } = await post("/api/json", {
      action: "validate",
      input: text,
    });
    assertEquals(findPosition(String(body!["result"]), text), offset, text);
  }
  assertEquals(findPosition("something else", "[]"), undefined);
});

Deno.test("findBase64Error() finds the character that the service refuses", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({
        unit: fc.constantFrom(
          "A",
          "b",
          "9",
          "+",
          "/",
          "-",
          "_",
          "=",
          " ",
          "\n",
          "é",
          "!",
        ),
        maxLength: 12,
      }),
      async (input) => {
        const { status, body } = await post("/api/base64", {
          action: "decode",
          input,
        });
        const error = String(body!["error"] ?? "");
        const found = findBase64Error(input);
        if (status === 200 || error.includes("UTF-8")) {
          assertEquals(found, undefined, error);
        } else {
          const [, offset] = /at offset (\d+)/.exec(error) ?? [];
          assertEquals(found?.offset, offset && Number(offset), error);
          assert(found !== undefined, error);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("tokenize() finds the tokens that have a colour", () => {
  const json = '{"a\\"\\\\" : [-1.5e+3, true],\n"b":"c:"}';
  const tokens = [...tokenize(json)].map(({ kind, start, end }) =>
    `${kind} ${json.slice(start, end)}`
  );
  assertEquals(tokens, [
    'name "a\\"\\\\"',
    "number -1.5e+3",
    "word true",
    'name "b"',
    'string "c:"',
  ]);
  // A text that was cut within a string has no token there.
  assertEquals([...tokenize(`[1,"${"x".repeat(100_000)}`)].length, 1);
});

Deno.test("quoteForShell() quotes what a shell would read", () => {
  assertEquals(quoteForShell("a b"), "'a b'");
  assertEquals(quoteForShell("it's $x"), "'it'\\''s $x'");
});

Deno.test("escapeUnseen() changes what is seen, not what is meant", () => {
  const value = {
    text: "a\x7f\x85\xad\u061c\u200e\u202ex\u2066\ufeff\u2028é😀\t",
  };
  const escaped = escapeUnseen(JSON.stringify(value));
  assertEquals(JSON.parse(escaped), value);
  assert(!/[\p{Cc}\p{Cf}\u2028]/u.test(escaped));
  assert(escaped.includes("é😀"));
});
